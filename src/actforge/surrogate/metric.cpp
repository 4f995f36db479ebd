#include "actforge/surrogate/metric.h"

#include <vector>

#include "actforge/base/find_named.h"

namespace actforge {
namespace {

constexpr MetricRow kTable[] = {
    {"euclidean", Metric::kEuclidean, "the length of the difference"},
    {"manhattan", Metric::kManhattan, "the sum of the absolute differences"},
    {"cosine", Metric::kCosine, "one minus the cosine of the angle"},
};

}  // namespace

std::span<const MetricRow> metrics() { return kTable; }

Metric find_metric(std::string_view name) { return find_named(kTable, name, "metric").metric; }

}  // namespace actforge
