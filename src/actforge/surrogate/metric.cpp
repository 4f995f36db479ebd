#include "actforge/surrogate/metric.h"

#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

constexpr MetricRow kTable[] = {
    {"euclidean", Metric::kEuclidean, "the length of the difference"},
    {"manhattan", Metric::kManhattan, "the sum of the absolute differences"},
    {"cosine", Metric::kCosine, "one minus the cosine of the angle"},
};

}  // namespace

std::span<const MetricRow> metrics() { return kTable; }

Metric find_metric(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MetricRow& row : kTable) {
    if (row.name == name) return row.metric;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown metric '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

}  // namespace actforge
