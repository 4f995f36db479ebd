#pragma once

#include <span>
#include <string_view>

namespace actforge {

// How far apart two rows of features are.
enum class Metric {
  kEuclidean,  // sqrt(sum (x-y)^2): outputs of activation functions, up to the constant sqrt(n) of the dissertation
  kManhattan,  // sum |x-y|: histograms of eigenvalues
  kCosine,     // 1 - x.y/(|x||y|); between two zero vectors 0, between a zero vector and another 1
};

struct MetricRow {
  std::string_view name;
  Metric metric;
  std::string_view summary;
};
std::span<const MetricRow> metrics();
// Throws Error (kUsage) with the nearest name.
Metric find_metric(std::string_view name);

}  // namespace actforge
