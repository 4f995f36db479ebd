#include "actforge/recipe/schedule.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "actforge/base/error.h"

namespace actforge {

std::vector<double> read_drops(const std::string& text) {
  std::vector<double> drops;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    const bool rises = std::isfinite(value) && value >= 0 && (drops.empty() || value > drops.back());
    if (error != std::errc() || (stop != end && (*stop != ',' || stop + 1 == end)) || !rises) {
      throw Error(ErrorCode::kUsage, "--drops takes rising numbers of epochs such as 60,120,160, not '" + text + "'");
    }
    drops.push_back(value);
    at = stop == end ? end : stop + 1;
  }
  return drops;
}

double learning_rate_at(const TrainOptions& options, double epoch) {
  const double peak = options.learning_rate;
  if (epoch < options.warmup) {
    return options.warmup_from + (peak - options.warmup_from) * epoch / options.warmup;
  }
  if (options.schedule == "constant") return peak;
  if (options.schedule == "step") {
    double rate = peak;
    for (const double drop : read_drops(options.drops)) rate *= epoch >= drop ? options.drop_factor : 1;
    return rate;
  }
  const double length = static_cast<double>(options.epochs) - options.warmup;
  const double way = length > 0 ? std::min(1.0, (epoch - options.warmup) / length) : 1;
  const double left = options.schedule == "linear" ? 1 - way : 0.5 * (1 + std::cos(std::numbers::pi * way));
  return options.final_rate + (peak - options.final_rate) * left;
}

}  // namespace actforge
