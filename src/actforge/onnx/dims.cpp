#include "actforge/onnx/dims.h"

#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

std::int64_t product(const Dims& dims, std::size_t begin, std::size_t end) {
  Shape part;
  for (std::size_t i = begin; i < end; ++i) part.push_back(dims[i].size);
  std::int64_t count = 1;
  for (const std::int64_t extent : part) {
    if (extent <= 0 || extent > kMaxElements / count) refuse("the shape " + dims_text(dims) + " is too large or empty");
    count *= extent;
  }
  return count;
}

std::int64_t whole(double value) {
  if (!(std::fabs(value) <= static_cast<double>(kMaxElements))) refuse("an extent is too large");
  return static_cast<std::int64_t>(value);
}

// The extents with -1 and 0 resolved. A dimension whose `batch` is set counts the samples too; where the file fixes
// their number no extent says so yet, and the sizes contain it.
Dims resolved(const Dims& dims, const ReshapeTarget& target, std::int64_t total) {
  Dims result;
  std::optional<std::size_t> free;
  const bool symbolic = !target.batch_size;
  bool has_batch = false;
  for (std::size_t i = 0; i < target.extents.size(); ++i) {
    const std::int64_t value = whole(target.extents[i].value);
    Dim dim = {.size = value, .batch = target.extents[i].batch};
    if (value == -1 && !dim.batch) {
      if (free) refuse("only one of the new extents may be -1");
      free = i;
      dim.size = 1;
    } else if (value == 0 && !target.zeros) {
      if (i >= dims.size()) refuse("there is no extent " + std::to_string(i) + " to copy");
      dim = {.size = dims[i].size, .batch = dims[i].batch && symbolic};
      if (dims[i].batch && !symbolic) dim.size *= *target.batch_size;
    } else if (value <= 0) {
      refuse("an extent of " + std::to_string(value));
    }
    if (dim.batch && has_batch) refuse("two of the new extents count the samples");
    has_batch = has_batch || dim.batch;
    result.push_back(dim);
  }
  const std::int64_t known = product(result, 0, result.size());
  if (free && total % known == 0) result[*free].size = total / known;
  if (product(result, 0, result.size()) != total) refuse(dims_text(dims) + " cannot become " + dims_text(result));
  if (free && symbolic && !has_batch && batch_axis(dims)) result[*free].batch = true;
  return result;
}

// Whether `dim`, with `stride` numbers after it, can hold the samples, each of which is `inner` numbers apart from the
// next; the samples come `count` times in its size.
bool can_hold_batch(const Dim& dim, std::int64_t stride, std::int64_t inner, std::int64_t count) {
  return inner % stride == 0 && (stride * dim.size) % (inner * count) == 0;
}

// Which of the new extents holds the samples, where their number is fixed and so nothing marks it.
std::size_t find_batch(const Dims& result, std::int64_t inner, std::int64_t count, std::size_t was) {
  std::optional<std::size_t> merged, alone;
  std::int64_t stride = 1;
  for (std::size_t i = result.size(); i-- > 0; stride *= result[i].size) {
    if (!can_hold_batch(result[i], stride, inner, count)) continue;
    if (result[i].size == count) {
      // Several extents of 1 would do: the place where it was before, or else the first.
      if (!alone || *alone != was) alone = i;
    } else {
      merged = i;
    }
  }
  if (alone) return *alone;
  if (merged) return *merged;
  refuse("the samples are not in one extent of " + dims_text(result) + " any more");
}

}  // namespace

std::string dims_text(const Dims& dims) {
  std::string text;
  for (const Dim& dim : dims) {
    const std::string number = std::to_string(dim.size);
    text += (text.empty() ? "[" : ", ") + (dim.batch ? (dim.size == 1 ? "N" : number + "N") : number);
  }
  return text.empty() ? "[]" : text + "]";
}

std::optional<std::size_t> batch_axis(const Dims& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].batch) return i;
  }
  return std::nullopt;
}

Shape sample_shape(const Dims& dims) {
  Shape shape;
  for (const Dim& dim : dims) {
    if (!dim.vanishes()) shape.push_back(dim.size);
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

std::size_t sample_axis(const Dims& dims, std::size_t axis) {
  if (dims[axis].batch) refuse("it works along the extent that counts the samples");
  std::size_t place = 0;
  for (std::size_t i = 0; i < axis; ++i) place += dims[i].vanishes() ? 0 : 1;
  return place;
}

Dims batch_first(const Shape& sample) {
  Dims dims = {{.size = 1, .batch = true}};
  for (const std::int64_t extent : sample) dims.push_back({.size = extent});
  return dims;
}

std::size_t checked_axis(std::int64_t axis, std::size_t rank) {
  const auto extents = static_cast<std::int64_t>(rank);
  if (axis < -extents || axis >= extents) {
    refuse("axis " + std::to_string(axis) + " is not among the " + std::to_string(rank) + " of its input");
  }
  return static_cast<std::size_t>(axis < 0 ? axis + extents : axis);
}

Dims broadcast_dims(const std::vector<Dims>& all) {
  Dims whole;
  for (const Dims& dims : all) {
    if (dims.size() > whole.size()) whole.insert(whole.begin(), dims.size() - whole.size(), Dim{});
    for (std::size_t i = 0; i < dims.size(); ++i) {
      Dim& extent = whole[whole.size() - dims.size() + i];
      if (extent == dims[i] || dims[i] == Dim{}) continue;
      if (extent != Dim{}) refuse("its inputs do not fit: " + dims_text(whole) + " and " + dims_text(dims));
      extent = dims[i];
    }
  }
  std::size_t batches = 0;
  for (const Dim& dim : whole) batches += dim.batch ? 1 : 0;
  if (batches > 1) refuse("its inputs count the samples in different places");
  return whole;
}

Shape aligned_sample(const Dims& own, const Dims& whole) {
  Shape shape;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::size_t missing = whole.size() - own.size();
    if (!whole[i].vanishes()) shape.push_back(i < missing ? 1 : own[i - missing].size);
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

// The samples are `inner` numbers apart in memory, before the reshape and after it: that is how the extent that holds
// them is found, and what of that extent comes before them.
Dims reshaped(const Dims& dims, const ReshapeTarget& target) {
  const std::optional<std::size_t> axis = batch_axis(dims);
  const std::int64_t samples = product(dims, 0, dims.size());
  if (!axis) {
    ReshapeTarget plain = target;
    plain.batch_size = 1;
    return resolved(dims, plain, samples);
  }
  const std::int64_t inner = product(dims, *axis + 1, dims.size()) * (dims[*axis].size / dims[*axis].before);
  const std::int64_t count = target.batch_size.value_or(1);
  if (samples > kMaxElements / count) refuse("the shape " + dims_text(dims) + " is too large");
  Dims result = resolved(dims, target, samples * count);
  std::optional<std::size_t> place =
      target.batch_size ? std::optional(find_batch(result, inner, count, *axis)) : batch_axis(result);
  if (!place) refuse("none of the extents of " + dims_text(result) + " counts the samples");
  const std::int64_t stride = product(result, *place + 1, result.size());
  Dim& holder = result[*place];
  if (!can_hold_batch(holder, stride, inner, count)) refuse(dims_text(result) + " takes the samples apart");
  const std::int64_t after = inner / stride;
  holder = {.size = holder.size / count, .batch = true};
  holder.before = holder.size / after;
  return result;
}

}  // namespace actforge
