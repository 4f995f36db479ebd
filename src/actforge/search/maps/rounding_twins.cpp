#include "actforge/search/maps/rounding_twins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "actforge/base/parallel.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

// A row seen from one direction. Rows are never nearer to each other than from there, nor than their lengths: so only
// those that agree in both need be compared number by number.
struct View {
  double place = 0;
  double length = 0;
};

std::vector<View> views_of(PointsView rows, const RunContext& run) {
  std::vector<double> direction(rows.width);
  Random random(0, 0, "rounding twins");
  double norm = 0;
  for (double& weight : direction) {
    weight = random.normal();
    norm += weight * weight;
  }
  for (double& weight : direction) weight /= std::sqrt(norm);
  std::vector<View> views(rows.count);
  parallel_for(thread_count(run.threads), rows.count, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      run.check();
      const std::span<const float> row = rows.row(i);
      double place = 0, squares = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const auto y = static_cast<double>(row[k]);
        place += direction[k] * y;
        squares += y * y;
      }
      views[i] = {place, std::sqrt(squares)};
    }
  });
  return views;
}

bool are_near(std::span<const float> a, std::span<const float> b, double limit) {
  double squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
    squares += difference * difference;
    if (squares > limit * limit) return false;
  }
  return true;
}

}  // namespace

RoundingTwins rounding_twins(PointsView rows, const RunContext& run) {
  const std::vector<View> views = views_of(rows, run);
  std::vector<std::uint32_t> order(rows.count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return views[a].place != views[b].place ? views[a].place < views[b].place : a < b;
  });
  // Along the direction, every row is compared with those before it that stand for themselves.
  std::vector<std::uint32_t> group_of(rows.count), leaders;
  for (const std::uint32_t row : order) {
    run.check();
    const double limit = kRounding * (1 + views[row].length);
    auto group = static_cast<std::uint32_t>(leaders.size());
    for (std::size_t above = leaders.size(); above > 0; --above) {
      const std::size_t g = above - 1;
      if (views[row].place - views[leaders[g]].place > limit) break;
      if (std::abs(views[row].length - views[leaders[g]].length) > limit) continue;
      if (!are_near(rows.row(row), rows.row(leaders[g]), limit)) continue;
      group = static_cast<std::uint32_t>(g);
      break;
    }
    if (group == leaders.size()) leaders.push_back(row);
    group_of[row] = group;
  }
  // Numbered by their first rows.
  constexpr std::uint32_t kNone = ~0U;
  std::vector<std::uint32_t> number(leaders.size(), kNone);
  RoundingTwins twins;
  for (std::uint32_t row = 0; row < rows.count; ++row) {
    std::uint32_t& mine = number[group_of[row]];
    if (mine == kNone) {
      mine = static_cast<std::uint32_t>(twins.first.size());
      twins.first.push_back(row);
    }
    twins.of.push_back(mine);
  }
  return twins;
}

}  // namespace actforge
