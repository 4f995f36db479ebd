#include "actforge/fisher/patch_covariance.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace actforge {
namespace {

using torch::Tensor;

// Doubles that are worked on at once: they stay in the cache.
constexpr std::int64_t kPortion = 1 << 19;

std::int64_t product(const std::vector<std::int64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

// Writes out the taps along the last extent after all: their channels come side by side, and the window has one tap
// there. x is [samples, extents..., groups, channels].
Tensor write_out_axis(const Tensor& x, const Window& window, std::size_t axis, std::int64_t places) {
  const auto dim = static_cast<std::int64_t>(axis) + 1;
  std::vector<std::int64_t> pads(2 * static_cast<std::size_t>(x.dim() - dim), 0);  // the last dimension first
  pads[pads.size() - 2] = window.before[axis];
  pads[pads.size() - 1] = window.after[axis];
  const Tensor padded = torch::constant_pad_nd(x, pads);
  std::vector<Tensor> taps;
  for (std::int64_t a = 0; a < window.size[axis]; ++a) {
    const std::int64_t first = a * window.dilation[axis];
    taps.push_back(padded.slice(dim, first, first + (places - 1) * window.stride[axis] + 1, window.stride[axis]));
  }
  return torch::stack(taps, -2).flatten(-2);
}

// The whole sum, portion by portion.
class PatchSums {
 public:
  PatchSums(const PatchShape& shape, std::int64_t channels, const Shape& spatial, std::int64_t narrow)
      : shape_(shape),
        given_(shape.window),
        window_(shape.window),
        spatial_(spatial),
        places_(spatial.empty() ? Shape{} : window_places(shape.window, spatial)),
        width_(channels / shape.groups) {
    Shape inner = spatial;
    for (std::size_t axis = spatial.size(); axis-- > 0 && width_ < narrow;) {
      width_ *= window_.size[axis];
      inner[axis] = places_[axis];
      window_.size[axis] = window_.stride[axis] = window_.dilation[axis] = 1;
      window_.before[axis] = window_.after[axis] = 0;
      ++written_axes_;
    }
    groups_ = patch_groups(window_, inner);
    inner_ = inner;
    size_parts();
    for (const PatchGroup& group : groups_) sums_.push_back(make_sums(group));
  }

  // Whether there are enough groups for threads to share among them. Else they share the samples, and each has sums of
  // its own, which for many groups would be large.
  bool has_many_groups() const { return groups_.size() > 8; }

  // x: [samples, extents..., channels].
  void add(const Tensor& x) {
    samples_ += x.size(0);
    const std::int64_t portion = std::max<std::int64_t>(1, kPortion / (product(padded_) * shape_.groups * width_));
    for (std::int64_t first = 0; first < x.size(0); first += portion) {
      add_portion(x.slice(0, first, std::min(first + portion, x.size(0))));
    }
  }

  Tensor products() const {
    const std::int64_t lead = shape_.bias ? 1 : 0, side = lead + product(window_.size) * width_;
    Tensor products = torch::zeros({side, side}, torch::kFloat64);
    for (std::size_t g = 0; g < groups_.size(); ++g) distribute(groups_[g], sums_[g], products);
    if (shape_.bias) products[0][0] = static_cast<double>(samples_ * product(places_) * shape_.groups);
    return products.triu() + products.triu(1).t();
  }

 private:
  // Of one group: the products in each cell. Of the largest cell it is those of all places together, which lie in
  // memory one after the other; the other cells are taken off at the end.
  struct GroupSums {
    std::vector<Tensor> products, columns;
    std::size_t largest = 0;
    bool is_whole = false;
  };

  GroupSums make_sums(const PatchGroup& group) const {
    GroupSums sums;
    std::int64_t places = 0;
    for (std::size_t c = 0; c < group.cells.size(); ++c) {
      sums.products.push_back(torch::zeros({width_, width_}, torch::kFloat64));
      sums.columns.push_back(torch::zeros({width_}, torch::kFloat64));
      places += group.cells[c].places();
      if (group.cells[c].places() > group.cells[sums.largest].places()) sums.largest = c;
    }
    // Not where zeros around the parts would outnumber the places.
    sums.is_whole = !group.cells.empty() && 2 * group.cells[sums.largest].places() > product(padded_);
    return sums;
  }

  // All parts get the same extents, with zeros at their ends: then a shift is the same distance in memory everywhere,
  // and whoever steps over an end meets a zero.
  void size_parts() {
    padded_.assign(spatial_.size(), 0);
    for (const PatchGroup& group : groups_) {
      for (std::size_t i = 0; i < padded_.size(); ++i) padded_[i] = std::max(padded_[i], std::abs(group.shift[i]));
    }
    for (std::size_t i = 0; i < padded_.size(); ++i) {
      padded_[i] += (inner_[i] + window_.stride[i] - 1) / window_.stride[i];
    }
  }

  Tensor make_part(const Tensor& x, const std::vector<std::int64_t>& phase) const {
    Tensor part = x;
    for (std::size_t i = 0; i < phase.size(); ++i) {
      part = part.slice(static_cast<std::int64_t>(i) + 1, phase[i], c10::nullopt, window_.stride[i]);
    }
    std::vector<std::int64_t> extents = {x.size(0)};
    extents.insert(extents.end(), padded_.begin(), padded_.end());
    extents.insert(extents.end(), {shape_.groups, width_});
    if (part.sizes() == c10::IntArrayRef(extents)) return part.to(torch::kFloat64).contiguous();
    Tensor padded = torch::zeros(extents, torch::kFloat64);
    Tensor inside = padded;
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const auto dim = static_cast<std::int64_t>(i) + 1;
      inside = inside.narrow(dim, 0, part.size(dim));
    }
    inside.copy_(part);
    return padded;
  }

  void add_portion(const Tensor& portion) {
    std::vector<std::int64_t> extents(portion.sizes().begin(), portion.sizes().end() - 1);
    extents.insert(extents.end(), {shape_.groups, portion.size(-1) / shape_.groups});
    Tensor x = portion.reshape(extents);
    for (std::size_t n = 0; n < written_axes_; ++n) {
      const std::size_t axis = spatial_.size() - 1 - n;
      x = write_out_axis(x, given_, axis, places_[axis]);
    }
    std::map<std::vector<std::int64_t>, Tensor> parts;
    for (const PatchGroup& group : groups_) {
      for (const auto* phase : {&group.phase_a, &group.phase_b}) {
        if (!parts.contains(*phase)) parts[*phase] = make_part(x, *phase);
      }
    }
    const auto count = static_cast<std::int64_t>(groups_.size());
#pragma omp parallel for schedule(dynamic, 1) if (has_many_groups())
    for (std::int64_t i = 0; i < count; ++i) {
      const PatchGroup& group = groups_[static_cast<std::size_t>(i)];
      add_group(group, parts.at(group.phase_a), parts.at(group.phase_b), sums_[static_cast<std::size_t>(i)]);
    }
  }

  Tensor rows(const Tensor& part, const PatchCell& cell, const std::vector<std::int64_t>* shift) const {
    Tensor box = part;
    for (std::size_t i = 0; i < cell.begin.size(); ++i) {
      const std::int64_t begin = cell.begin[i] + (shift != nullptr ? (*shift)[i] : 0);
      box = box.narrow(static_cast<std::int64_t>(i) + 1, begin, cell.count[i]);
    }
    return box.reshape({-1, width_});
  }

  void add_group(const PatchGroup& group, const Tensor& a, const Tensor& b, GroupSums& sums) const {
    const bool wants_columns = shape_.bias && group.is_diagonal();
    for (std::size_t c = 0; c < group.cells.size(); ++c) {
      Tensor left, right;
      if (sums.is_whole && c == sums.largest) {
        std::int64_t distance = 0;
        for (std::size_t i = 0; i < padded_.size(); ++i) distance = distance * padded_[i] + group.shift[i];
        distance *= shape_.groups;
        left = a.view({-1, width_});
        right = b.view({-1, width_});
        const std::int64_t length = left.size(0) - std::abs(distance);
        left = left.narrow(0, std::max<std::int64_t>(0, -distance), length);
        right = right.narrow(0, std::max<std::int64_t>(0, distance), length);
      } else {
        left = rows(a, group.cells[c], nullptr);
        right = group.is_diagonal() ? left : rows(b, group.cells[c], &group.shift);
      }
      sums.products[c].addmm_(left.t(), right);
      if (wants_columns) sums.columns[c].add_(left.sum(0));
    }
  }

  void distribute(const PatchGroup& group, const GroupSums& sums, Tensor& products) const {
    const std::int64_t lead = shape_.bias ? 1 : 0;
    const auto block = [&](std::size_t tap) { return lead + static_cast<std::int64_t>(tap) * width_; };
    for (std::size_t c = 0; c < group.cells.size(); ++c) {
      Tensor cell = sums.products[c], columns = sums.columns[c];
      if (sums.is_whole && c == sums.largest) {
        cell = cell.clone();
        columns = columns.clone();
        for (std::size_t other = 0; other < group.cells.size(); ++other) {
          if (other == c) continue;
          cell.sub_(sums.products[other]);
          columns.sub_(sums.columns[other]);
        }
      }
      for (const std::size_t pair : group.cells[c].pairs) {
        const auto [a, b] = group.pairs[pair];
        add_block(cell, block(a), block(b), products);
        if (shape_.bias && a == b) add_block(columns, 0, block(a), products);
      }
    }
  }

  // Hundreds of small blocks: plain loops take less time than calls of LibTorch.
  static void add_block(const Tensor& block, std::int64_t row, std::int64_t column, Tensor& products) {
    const std::int64_t side = products.size(1), width = block.size(-1), rows = block.numel() / width;
    const double* from = block.data_ptr<double>();
    double* to = products.data_ptr<double>() + row * side + column;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < width; ++j) to[i * side + j] += from[i * width + j];
    }
  }

  const PatchShape& shape_;
  Window given_, window_;  // the layer's, and what is left of it
  std::size_t written_axes_ = 0;
  Shape spatial_, inner_, places_;  // extents of the input, of what the groups are about, and places of the window
  std::int64_t width_;              // columns of a row: channels of a group, times the taps that are written out
  std::vector<PatchGroup> groups_;
  std::vector<std::int64_t> padded_;  // extents of the parts
  std::vector<GroupSums> sums_;
  std::int64_t samples_ = 0;
};

}  // namespace

Tensor patch_products(const Tensor& x, const PatchShape& shape, std::int64_t narrow) {
  const torch::NoGradGuard no_grad;
  const Tensor last = x.detach().movedim(1, -1);
  const Shape spatial(last.sizes().begin() + 1, last.sizes().end() - 1);
  PatchSums sums(shape, last.size(-1), spatial, narrow);
  const std::int64_t samples = last.size(0), threads = std::min<std::int64_t>(at::get_num_threads(), samples);
  if (sums.has_many_groups() || threads == 1) {
    sums.add(last);
    return sums.products();
  }
  std::vector<Tensor> shares(static_cast<std::size_t>(threads));
#pragma omp parallel for
  for (std::int64_t i = 0; i < threads; ++i) {
    PatchSums share(shape, last.size(-1), spatial, narrow);
    share.add(last.slice(0, samples * i / threads, samples * (i + 1) / threads));
    shares[static_cast<std::size_t>(i)] = share.products();
  }
  return torch::stack(shares).sum(0);
}

}  // namespace actforge
