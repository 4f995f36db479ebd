#include "tools/actforge/fn/piecewise_options.h"

#include <fmt/format.h>

#include <cmath>

namespace actforge::tool {

void add_piecewise_options(CLI::App& verb, PiecewiseOptions& options) {
  add_whole_number(verb, "--knots", options.knots, fmt::format("Largest number of bends, from 1 to {}", kMostKnots))
      ->common();
  verb.add_option("--tolerance", options.tolerance, "Stop adding bends below this root mean squared error")
      ->capture_default_str()
      ->type_name("E");
  verb.add_flag("--smooth", options.smooth, "Round the bends off: softplus in place of relu")->common();
  verb.add_option("--sharpness", options.sharpness,
                  "Of smooth bends: k in softplus(k*x)/k, which is log(2)/k from relu at the bend; 0 chooses")
      ->capture_default_str()
      ->type_name("K");
}

void check_piecewise_options(const PiecewiseOptions& options) {
  if (options.knots < 1 || options.knots > kMostKnots) {
    throw Error(ErrorCode::kUsage, fmt::format("--knots goes from 1 to {}, not {}", kMostKnots, options.knots));
  }
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance)) {
    throw Error(ErrorCode::kUsage, fmt::format("--tolerance is an error, 0 or more, not {}", options.tolerance));
  }
  if (!(options.sharpness >= 0) || !std::isfinite(options.sharpness)) {
    throw Error(ErrorCode::kUsage, fmt::format("--sharpness is 0 or more, not {}", options.sharpness));
  }
  if (options.sharpness > 0 && !options.smooth) {
    throw Error(ErrorCode::kUsage, "--sharpness needs --smooth");
  }
}

}  // namespace actforge::tool
