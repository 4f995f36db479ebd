#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "actforge/base/error.h"
#include "actforge/expr/moments/moments.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string expression;
  MomentOptions moments;
  std::vector<std::string> parameters;
  bool json = false;
};

int run(const Options& options) {
  const Moments m = gaussian_moments(read_function(options.expression, options.parameters), options.moments);
  if (options.json) {
    print_json({{"mean", number(m.mean)},
                {"variance", number(m.variance)},
                {"second_moment", number(m.second_moment)},
                {"derivative_mean", number(m.derivative_mean)},
                {"derivative_variance", number(m.derivative_variance)},
                {"derivative_second_moment", number(m.derivative_second_moment)},
                {"error", number(m.error)},
                {"integrable", m.integrable()},
                {"problems", m.problems}});
  } else {
    const auto row = [](std::string_view name, double value) {
      fmt::print("{:<28} {}\n", name, std::isnan(value) ? "not integrable" : fmt::format("{:.12g}", value));
    };
    row("mean", m.mean);
    row("variance", m.variance);
    row("second moment", m.second_moment);
    row("mean of derivative", m.derivative_mean);
    row("variance of derivative", m.derivative_variance);
    row("second moment of derivative", m.derivative_second_moment);
    if (!std::isnan(m.mean) || !std::isnan(m.derivative_mean))
      fmt::print("{:<28} {:.1e}\n", "error, at most about", m.error);
  }
  flush_output();  // the answer first, then why it is not whole
  for (const std::string& problem : m.problems) warning("actforge: {}", problem);
  return std::isnan(m.mean) ? static_cast<int>(ErrorCode::kFailed) : 0;
}

}  // namespace

VerbAction add_fn_moments(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("EXPR", options->expression, "The activation function")->required();
  verb.add_option("--mean", options->moments.mean, "Mean of x")->capture_default_str();
  verb.add_option("--variance", options->moments.variance, "Variance of x")->capture_default_str();
  add_param_option(verb, options->parameters);
  verb.add_flag("--json", options->json, "Answer in JSON; null for what is not integrable");
  verb.footer("The exit code is 1 when not even the mean exists.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
