#include "actforge/fisher/patch_covariance.h"

namespace actforge {
namespace {

using torch::Tensor;

// The channels at the places of a box: [samples · places · groups, channels of a group].
Tensor box_rows(const Tensor& x, const std::vector<std::int64_t>& first, const PatchCell& cell,
                const PatchShape& shape) {
  Tensor box = x;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::int64_t stride = shape.window.stride[i];
    box = box.slice(static_cast<std::int64_t>(i) + 1, first[i], first[i] + (cell.count[i] - 1) * stride + 1, stride);
  }
  return box.reshape({-1, x.size(-1) / shape.groups});
}

// The part of the answer for one group of pairs; no other group writes there.
void add_group(const Tensor& x, const PatchShape& shape, const PatchGroup& group, Tensor& products) {
  const std::int64_t channels = x.size(-1) / shape.groups, lead = shape.bias ? 1 : 0;
  const auto block = [&](std::size_t tap) { return lead + static_cast<std::int64_t>(tap) * channels; };
  const bool same_tap = group.pairs[0].first == group.pairs[0].second;
  for (const PatchCell& cell : group.cells) {
    const Tensor a = box_rows(x, cell.first_a, cell, shape);
    const Tensor product = torch::mm(a.t(), same_tap ? a : box_rows(x, cell.first_b, cell, shape));
    for (const std::size_t pair : cell.pairs) {
      const auto [tap_a, tap_b] = group.pairs[pair];
      products.narrow(0, block(tap_a), channels).narrow(1, block(tap_b), channels).add_(product);
    }
    if (!same_tap || !shape.bias) continue;
    const Tensor sum = a.sum(0);
    for (const std::size_t pair : cell.pairs) {
      products[0].narrow(0, block(group.pairs[pair].first), channels).add_(sum);
    }
  }
}

}  // namespace

Tensor patch_products(const Tensor& x, const PatchShape& shape) {
  const torch::NoGradGuard no_grad;
  const Tensor last = x.detach().to(torch::kFloat64).movedim(1, -1).contiguous();
  Shape spatial(last.sizes().begin() + 1, last.sizes().end() - 1);
  const std::vector<PatchGroup> groups = patch_groups(shape.window, spatial);
  std::int64_t taps = 1, places = 1;
  for (const std::int64_t size : shape.window.size) taps *= size;
  if (!spatial.empty()) {
    for (const std::int64_t extent : window_places(shape.window, spatial)) places *= extent;
  }
  const std::int64_t lead = shape.bias ? 1 : 0, side = lead + taps * (last.size(-1) / shape.groups);
  Tensor products = torch::zeros({side, side}, torch::kFloat64);
  const auto count = static_cast<std::int64_t>(groups.size());
  // A single group is left to the threads of the matrix product.
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (std::int64_t i = 0; i < count; ++i) add_group(last, shape, groups[static_cast<std::size_t>(i)], products);
  if (shape.bias) products[0][0] = static_cast<double>(last.size(0) * places * shape.groups);
  return products.triu() + products.triu(1).t();
}

}  // namespace actforge
