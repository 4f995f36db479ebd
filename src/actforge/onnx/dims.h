#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actforge/net/graph/shape.h"

namespace actforge {

// One extent of an ONNX tensor. One extent of a tensor counts the samples, alone or merged with others by a reshape:
// it then has before * samples * after entries, and a sample has size = before * after of them, in the same order.
struct Dim {
  std::int64_t size = 1;  // without the samples
  bool batch = false;
  std::int64_t before = 1;

  bool operator==(const Dim&) const = default;
  bool vanishes() const { return batch && size == 1; }  // in a sample
};
using Dims = std::vector<Dim>;

// A whole number of a shape that the graph computes: `value`, or `value` times the number of samples.
struct Symbol {
  double value = 0;
  bool batch = false;

  bool operator==(const Symbol&) const = default;
};

std::string dims_text(const Dims& dims);
std::optional<std::size_t> batch_axis(const Dims& dims);

// The extents of one sample; {1} where none is left.
Shape sample_shape(const Dims& dims);
// Where an extent is found in the sample. Throws Error (kBadInput) for the extent of the samples itself.
std::size_t sample_axis(const Dims& dims, std::size_t axis);
// The samples first, then the extents of `sample`.
Dims batch_first(const Shape& sample);
// From the end where it is negative. Throws Error (kBadInput) where there is no such extent.
std::size_t checked_axis(std::int64_t axis, std::size_t rank);

// What tensors become together, number by number, where extents of 1 are repeated. Throws Error (kBadInput).
Dims broadcast_dims(const std::vector<Dims>& all);
// The extents of a sample of one of them, with as many as `whole` has.
Shape aligned_sample(const Dims& own, const Dims& whole);

// A reshape to `target`, in which -1 is what is left, and 0 copies the extent of the input unless `zeros` says that it
// means nothing. `batch_size` is the number of samples where the file fixes it. Throws Error (kBadInput).
struct ReshapeTarget {
  std::vector<Symbol> extents = {};
  bool zeros = false;
  std::optional<std::int64_t> batch_size = {};
};
Dims reshaped(const Dims& dims, const ReshapeTarget& target);

}  // namespace actforge
