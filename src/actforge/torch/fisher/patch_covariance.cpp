#include "actforge/torch/fisher/patch_covariance.h"

#include "actforge/torch/fisher/cell_sums.h"

namespace actforge {
namespace {

using torch::Tensor;

// A square of numbers within larger rows.
struct Block {
  const double* from = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t step = 0;  // from a row to the next
};

// Hundreds of small blocks: plain loops take less time than calls of LibTorch.
void add_block(const Block& block, double* to, std::int64_t side) {
  for (std::int64_t i = 0; i < block.rows; ++i) {
    for (std::int64_t j = 0; j < block.columns; ++j) to[i * side + j] += block.from[i * block.step + j];
  }
}

// Each block of the covariance is the sum of its cells. Of blocks that are symmetric, and of the covariance itself,
// what is below the diagonal is not looked at.
Tensor put_together(const PatchLayout& layout, const CellSums& sums, std::int64_t samples) {
  const bool bias = layout.shape().bias;
  const std::int64_t width = layout.width(), step = sums.products.size(1), lead = bias ? 1 : 0;
  const std::int64_t side = lead + PatchLayout::product(layout.window().size) * width;
  Tensor all = torch::zeros({side, side}, torch::kFloat64);
  double* to = all.data_ptr<double>();
  const double* products = sums.products.data_ptr<double>();
  const double* columns = sums.columns.data_ptr<double>();
  const auto block = [&](std::size_t tap) { return lead + static_cast<std::int64_t>(tap) * width; };
  for (const PatchGroup& group : layout.groups()) {
    for (const PatchCell& cell : group.cells) {
      for (const std::size_t pair : cell.pairs) {
        const auto [a, b] = group.pairs[pair];
        add_block({products, width, width, step}, to + block(a) * side + block(b), side);
        if (bias && a == b) add_block({columns, 1, width, step}, to + block(a), side);
      }
      products += step * step;
      columns += step;
    }
  }
  if (bias) to[0] = static_cast<double>(samples * PatchLayout::product(layout.places()) * layout.shape().groups);
  return all.triu() + all.triu(1).t();
}

}  // namespace

Tensor patch_products(const Tensor& x, const PatchShape& shape, const PatchMethod& method) {
  const torch::NoGradGuard no_grad;
  const Tensor last = x.detach().movedim(1, -1);
  const Shape spatial(last.sizes().begin() + 1, last.sizes().end() - 1);
  const PatchLayout layout(shape, last.size(-1), spatial, method.narrow);
  return put_together(layout, cell_sums(layout, last, method.wide), last.size(0));
}

}  // namespace actforge
