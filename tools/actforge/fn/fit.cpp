#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "actforge/expr/fit/curve_file.h"
#include "actforge/expr/language/print.h"
#include "actforge/report/plots/line_plot.h"
#include "actforge/report/svg/png.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"
#include "tools/actforge/fn/piecewise_options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string file;
  std::string expression;
  std::string range = "-5,5";
  std::uint64_t samples = 1001;
  PiecewiseOptions fit;
  std::string plot;
  bool json = false;
};

Curve sample(const Options& options) {
  constexpr std::uint64_t kMost = 10'000'000;
  const std::vector<double> ends = read_numbers(options.range, "--range");
  if (ends.size() != 2 || !(ends[0] < ends[1]) || !std::isfinite(ends[1] - ends[0])) {
    throw Error(ErrorCode::kUsage, "--range takes two numbers, the lower one first, such as -5,5");
  }
  if (options.samples < 2 || options.samples > kMost) {
    throw Error(ErrorCode::kUsage, fmt::format("--samples goes from 2 to {}", kMost));
  }
  return sample_curve(read_function(options.expression, {}),
                      {.low = ends[0], .high = ends[1], .count = options.samples});
}

LinePlot picture(const Curve& curve, const PiecewiseFit& fit) {
  Series samples = {.label = "samples"}, function = {.label = "function"};
  std::vector<std::pair<double, double>> sorted;
  sorted.reserve(curve.x.size());
  for (std::size_t i = 0; i < curve.x.size(); ++i) sorted.emplace_back(curve.x[i], curve.y[i]);
  std::ranges::sort(sorted);
  for (const auto& [x, y] : sorted) samples.x.push_back(x), samples.y.push_back(y);
  const Reference reference(fit.expr);
  const double left = sorted.front().first, range = sorted.back().first - left;
  constexpr int kPoints = 1001;
  for (int i = 0; i < kPoints; ++i) {  // a tenth of the range beyond the samples on both sides
    const double x = left + range * (1.2 * i / (kPoints - 1) - 0.1);
    function.x.push_back(x);
    function.y.push_back(reference.value(x));
  }
  return {.x_label = "x", .y_label = "f(x)", .series = {samples, function}};
}

int run(const Options& options) {
  check_piecewise_options(options.fit);
  if (!options.plot.empty()) check_picture_name(options.plot);
  if (options.file.empty() == options.expression.empty()) {
    throw Error(ErrorCode::kUsage, "give a file with columns x and y, or a function with --from");
  }
  const Curve curve = options.file.empty() ? sample(options) : read_curve(options.file);
  const PiecewiseFit fit = fit_piecewise(curve.x, curve.y, options.fit);
  if (!options.plot.empty()) save_plot(picture(curve, fit), options.plot);
  if (options.json) {
    print_json({{"function", to_call(fit.expr)},
                {"knots", fit.knots},
                {"sharpness", fit.sharpness},
                {"rms_error", fit.rms_error},
                {"max_error", fit.max_error},
                {"samples", curve.x.size()}});
    return 0;
  }
  fmt::print("{}\n", to_call(fit.expr));
  note("{} knot{}; error over {} samples: {:.2g} (root mean square), {:.2g} at most", fit.knots,
       fit.knots == 1 ? "" : "s", curve.x.size(), fit.rms_error, fit.max_error);
  return 0;
}

}  // namespace

VerbAction add_fn_fit(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("FILE", options->file, "A CSV file with the columns x and y, in any order of the rows");
  verb.add_option("--from", options->expression, "Approximate this function instead")->type_name("EXPR");
  verb.add_option("--range", options->range, "With --from: the interval to approximate it on")
      ->capture_default_str()
      ->type_name("A,B");
  add_whole_number(verb, "--samples", options->samples, "With --from: number of evenly spaced samples");
  add_piecewise_options(verb, options->fit);
  verb.add_option("--plot", options->plot, "Draw the samples and the function (.svg or .png)")->type_name("FILE");
  verb.add_flag("--json", options->json, "Answer in JSON");
  verb.footer(
      "Prints a function of straight or smooth pieces, which continues in straight lines beyond the samples. It\n"
      "is an expression like any other: actforge train --activation \"$(actforge fn fit curve.csv)\"");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
