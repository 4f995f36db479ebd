#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "actforge/base/error.h"
#include "actforge/report/plots/terminal_plot.h"
#include "actforge/report/svg/png.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::vector<std::string> expressions;
  std::string output;
  double from = -5;
  double to = 5;
  std::string title;
  std::vector<std::string> parameters;
  bool derivative = false;
  bool json = false;
};

Series sample(const Reference& function, const std::string& label, const Options& options, bool slope) {
  constexpr int kPoints = 1001;
  Series series{.label = label};
  for (int i = 0; i < kPoints; ++i) {
    const double x = options.from + (options.to - options.from) * i / (kPoints - 1);
    const auto at = function.at(x);
    series.x.push_back(x);
    series.y.push_back(slope ? at.slope : at.value);
  }
  return series;
}

TerminalStyle terminal_style() {
  TerminalStyle style;
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 30) {
    style.columns = std::min<int>(size.ws_col, 120);
  }
  const auto variable = [](const char* name) {
    return std::string(std::getenv(name) != nullptr ? std::getenv(name) : "");
  };
  const std::string locale = !variable("LC_ALL").empty()     ? variable("LC_ALL")
                             : !variable("LC_CTYPE").empty() ? variable("LC_CTYPE")
                                                             : variable("LANG");
  style.unicode = locale.find("UTF") != std::string::npos || locale.find("utf") != std::string::npos;
  style.color = has_colour();
  return style;
}

nlohmann::json to_json(const LinePlot& plot) {
  nlohmann::json curves = nlohmann::json::array();
  for (const Series& series : plot.series) {
    nlohmann::json y = nlohmann::json::array();
    for (const double v : series.y) y.push_back(number(v));
    curves.push_back({{"label", series.label}, {"x", series.x}, {"y", y}});
  }
  return {{"series", curves}};
}

int run(const Options& options) {
  if (!(options.from < options.to) || !std::isfinite(options.to - options.from))
    throw Error(ErrorCode::kUsage, "--from must be less than --to");
  LinePlot plot{.title = options.title, .x_label = "x", .y_label = options.derivative ? "f(x), f'(x)" : "f(x)"};
  for (const std::string& expression : options.expressions) {
    const Reference function = read_function(expression, options.parameters);
    plot.series.push_back(sample(function, expression, options, false));
    if (options.derivative) plot.series.push_back(sample(function, "derivative of " + expression, options, true));
  }
  if (!options.output.empty()) save_plot(plot, options.output);
  if (options.json) {
    nlohmann::json json = to_json(plot);
    if (!options.output.empty()) json["file"] = options.output;
    print_json(json);
  } else if (options.output.empty()) {
    fmt::print("{}", to_terminal(plot, terminal_style()));
  } else {
    note("wrote {}", options.output);
  }
  return 0;
}

}  // namespace

VerbAction add_fn_plot(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("EXPR", options->expressions, "One or more activation functions")->required();
  verb.add_option("-o,--output", options->output,
                  "File to write, .svg or .png; without it the plot goes to the terminal")
      ->type_name("FILE");
  verb.add_option("--from", options->from, "Left end of the x axis")->capture_default_str();
  verb.add_option("--to", options->to, "Right end of the x axis")->capture_default_str();
  verb.add_option("--title", options->title, "Title of the plot");
  verb.add_flag("--derivative", options->derivative, "Draw the derivatives too");
  add_param_option(verb, options->parameters);
  verb.add_flag("--json", options->json, "Print the points in JSON");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
