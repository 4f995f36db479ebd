#include "actforge/search/settings/halving.h"

#include <algorithm>
#include <cmath>

namespace actforge {

bool is_rung(const StudySettings& settings, std::int64_t epoch) {
  const auto wanted = static_cast<double>(epoch);
  auto rung = static_cast<double>(settings.first_rung);
  while (std::round(rung) < wanted) rung *= settings.keep_one_in;
  return std::round(rung) == wanted;
}

bool goes_on(const StudySettings& settings, double score, const std::vector<double>& others) {
  const auto all = static_cast<double>(others.size() + 1);
  if (all < settings.keep_one_in) return true;
  const auto better = std::count_if(others.begin(), others.end(), [&](double other) { return other > score; });
  return static_cast<double>(better) < std::floor(all / settings.keep_one_in);
}

}  // namespace actforge
