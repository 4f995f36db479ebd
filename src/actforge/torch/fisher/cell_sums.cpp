#include "actforge/torch/fisher/cell_sums.h"

#include <algorithm>
#include <exception>

#include "actforge/spectrum/panel_products.h"

namespace actforge {
namespace {

using torch::Tensor;

// Doubles that are worked on at once, so that they stay in the second cache of a core; but so many rows at least, so
// that the sums, which do not stay there where rows are wide, are loaded and stored less often (with 192 channels a
// sixth faster than with 256 rows).
constexpr std::int64_t kPortion = 1 << 15, kLeastRows = 1024;

// Rows along one dimension: how many, and how far apart in memory.
struct Steps {
  std::int64_t count = 1;
  std::int64_t step = 0;
};

// A box of rows as equal runs of rows that are equally far apart.
struct Runs {
  std::vector<std::int64_t> starts = {};
  Steps rows = {};
};

// Dimensions that continue each other are one. The innermost is the run.
void list_runs(std::span<const Steps> dimensions, std::int64_t first, Runs& runs) {
  std::vector<Steps> merged;
  for (const Steps& inner : dimensions) {
    if (inner.count == 1) continue;
    if (!merged.empty() && merged.back().step == inner.count * inner.step) {
      merged.back() = {merged.back().count * inner.count, inner.step};
    } else {
      merged.push_back(inner);
    }
  }
  runs.rows = merged.empty() ? Steps{} : merged.back();
  if (!merged.empty()) merged.pop_back();
  runs.starts.assign(1, first);
  for (const Steps& outer : merged) {
    const std::size_t before = runs.starts.size();
    for (std::int64_t n = 1; n < outer.count; ++n) {
      for (std::size_t i = 0; i < before; ++i) runs.starts.push_back(runs.starts[i] + n * outer.step);
    }
  }
}

// Bands are kPanelColumns rows of the sums of a group, and are counted through all groups.
struct Share {
  std::int64_t first_sample = 0, last_sample = 0;
  std::int64_t first_band = 0, last_band = 0;
};

std::int64_t side_of(const PatchLayout& layout) {
  return (layout.width() + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

CellSums zero_sums(const PatchLayout& layout) {
  const std::int64_t side = side_of(layout);
  std::int64_t cells = 0;
  for (const PatchGroup& group : layout.groups()) cells += static_cast<std::int64_t>(group.cells.size());
  return {torch::zeros({cells, side, side}, torch::kFloat64), torch::zeros({cells, side}, torch::kFloat64)};
}

// Shares of the bands that take about as long. A band takes as long as it has places and panels; of the symmetric sums
// only those from the diagonal on.
std::vector<Share> share_bands(const PatchLayout& layout, std::int64_t samples, std::int64_t threads) {
  const std::int64_t bands = side_of(layout) / kPanelColumns;
  std::vector<std::int64_t> work = {0};  // of all bands before
  for (const PatchGroup& group : layout.groups()) {
    std::int64_t places = 0;
    for (const PatchCell& cell : group.cells) places += cell.places();
    for (std::int64_t i = 0; i < bands; ++i) {
      work.push_back(work.back() + places * (group.is_diagonal() ? bands - i : bands));
    }
  }
  std::vector<Share> shares;
  shares.reserve(static_cast<std::size_t>(threads));
  std::int64_t first = 0;
  for (std::int64_t t = 1; t <= threads; ++t) {
    const auto end = std::lower_bound(work.begin(), work.end() - 1, work.back() * t / threads);
    const std::int64_t last = t == threads ? static_cast<std::int64_t>(work.size()) - 1 : end - work.begin();
    shares.push_back({0, samples, first, last});
    first = last;
  }
  return shares;
}

std::vector<Share> share_samples(const PatchLayout& layout, std::int64_t samples, std::int64_t threads) {
  const std::int64_t bands = side_of(layout) / kPanelColumns * static_cast<std::int64_t>(layout.groups().size());
  std::vector<Share> shares;
  shares.reserve(static_cast<std::size_t>(threads));
  for (std::int64_t t = 0; t < threads; ++t) {
    shares.push_back({samples * t / threads, samples * (t + 1) / threads, 0, bands});
  }
  return shares;
}

// What one thread does.
class ShareOfSums {
 public:
  ShareOfSums(const PatchLayout& layout, const Share& share, CellSums& sums)
      : layout_(layout), share_(share), side_(side_of(layout)), sums_(sums) {}

  void add(const Tensor& x) {
    const std::int64_t rows = PatchLayout::product(layout_.extents()) * layout_.shape().groups;  // of a sample
    const std::int64_t portion = std::max({kPortion / (rows * side_), kLeastRows / rows, std::int64_t{1}});
    for (std::int64_t first = share_.first_sample; first < share_.last_sample; first += portion) {
      const std::int64_t samples = std::min(portion, share_.last_sample - first);
      copy_rows(layout_.rows(x.narrow(0, first, samples)), samples * rows);
      add_portion(samples);
    }
  }

 private:
  void copy_rows(const Tensor& x, std::int64_t rows) {
    if (!panels_.defined()) {
      panels_ = torch::zeros({side_ / kPanelColumns, rows, kPanelColumns}, torch::kFloat64);
      panel_ = panels_.stride(0);
    }
    const PanelCopy copy = {.rows = rows, .width = layout_.width(), .to = panels_.data_ptr<double>(), .panel = panel_};
    if (x.scalar_type() == torch::kFloat32) {
      copy_to_panels(x.contiguous().data_ptr<float>(), copy);
    } else {
      copy_to_panels(x.to(torch::kFloat64).contiguous().data_ptr<double>(), copy);
    }
  }

  void add_portion(std::int64_t samples) {
    double* products = sums_.products.data_ptr<double>();
    double* columns = sums_.columns.data_ptr<double>();
    const std::int64_t bands = side_ / kPanelColumns;
    std::int64_t before = 0;  // bands of other groups
    for (const PatchGroup& group : layout_.groups()) {
      const std::int64_t first = std::clamp<std::int64_t>(share_.first_band - before, 0, bands);
      const std::int64_t last = std::clamp<std::int64_t>(share_.last_band - before, 0, bands);
      before += bands;
      for (const PatchCell& cell : group.cells) {
        if (first < last) {
          PanelPairs pairs = list_pairs(group, cell, samples);
          pairs.first = first * kPanelColumns;
          pairs.last = last * kPanelColumns;
          add_products(pairs, products);
          if (layout_.wants_columns(group)) add_rows(pairs, columns);
        }
        products += side_ * side_;
        columns += side_;
      }
    }
  }

  // A place of a part is phase + stride · place of the input, so the second tap's row is always equally far from the
  // first one's.
  PanelPairs list_pairs(const PatchGroup& group, const PatchCell& cell, std::int64_t samples) {
    std::int64_t along = layout_.shape().groups * kPanelColumns;  // from one place to the next
    std::int64_t first = 0, distance = 0;
    dimensions_.assign(1, {layout_.shape().groups, kPanelColumns});
    for (std::size_t i = cell.begin.size(); i-- > 0; along *= layout_.extents()[i]) {
      const std::int64_t stride = layout_.window().stride[i];
      first += (group.phase_a[i] + stride * cell.begin[i]) * along;
      distance += (group.phase_b[i] - group.phase_a[i] + stride * group.shift[i]) * along;
      dimensions_.push_back({cell.count[i], stride * along});
    }
    dimensions_.push_back({samples, along});
    std::reverse(dimensions_.begin(), dimensions_.end());
    list_runs(dimensions_, first, runs_);
    const double* a = panels_.data_ptr<double>();
    return {.a = a,
            .b = a + distance,
            .columns = side_,
            .panel = panel_,
            .starts = runs_.starts,
            .rows = runs_.rows.count,
            .step = runs_.rows.step};
  }

  const PatchLayout& layout_;
  const Share& share_;
  std::int64_t side_;
  CellSums& sums_;
  Tensor panels_;           // of a portion, the first of which is the largest; LibTorch begins at a line of the cache
  std::int64_t panel_ = 0;  // from one panel to the next
  std::vector<Steps> dimensions_;
  Runs runs_;
};

}  // namespace

CellSums cell_sums(const PatchLayout& layout, const Tensor& x, std::int64_t wide) {
  const std::int64_t samples = x.size(0), threads = std::clamp<std::int64_t>(at::get_num_threads(), 1, samples);
  const bool is_wide = layout.width() > wide;
  const std::vector<Share> shares =
      is_wide ? share_bands(layout, samples, threads) : share_samples(layout, samples, threads);
  std::vector<CellSums> sums(is_wide ? 1 : shares.size());
  for (CellSums& one : sums) one = zero_sums(layout);
  std::vector<std::exception_ptr> failures(shares.size());  // none may leave the region
#pragma omp parallel for schedule(static, 1)
  for (std::int64_t t = 0; t < threads; ++t) {
    const auto i = static_cast<std::size_t>(t);
    try {
      ShareOfSums(layout, shares[i], sums[is_wide ? 0 : i]).add(x);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  for (std::size_t i = 1; i < sums.size(); ++i) {
    sums[0].products.add_(sums[i].products);
    sums[0].columns.add_(sums[i].columns);
  }
  return sums[0];
}

}  // namespace actforge
