#include "actforge/base/error.h"
#include "actforge/onnx/write.h"

namespace actforge {
namespace {

// Finds the place in the tensor of each number of a weight.
class Places {
 public:
  Places(const WeightSource& source, const Shape& shape, std::size_t tensor) : source_(source) {
    count_ = static_cast<std::size_t>(element_count(shape));
    rows_ = shape.empty() ? 1 : static_cast<std::size_t>(shape[0]);
    block_ = source.gates.empty() ? count_ : count_ / source.gates.size();
    const std::string wrong = weight_size_problem(source, shape, static_cast<std::int64_t>(tensor));
    if (!wrong.empty()) throw Error(ErrorCode::kBadInput, wrong);
  }

  std::size_t count() const { return count_; }
  std::size_t at(std::size_t i) const {
    if (source_.transposed) return i % (count_ / rows_) * rows_ + i / (count_ / rows_);
    if (!source_.gates.empty()) i = static_cast<std::size_t>(source_.gates[i / block_]) * block_ + i % block_;
    return i + static_cast<std::size_t>(source_.offset);
  }
  // Of the number that is added to it.
  std::size_t added(std::size_t i) const {
    return at(i) - static_cast<std::size_t>(source_.offset) + static_cast<std::size_t>(source_.added.value_or(0));
  }

 private:
  const WeightSource& source_;
  std::size_t count_ = 0, rows_ = 1, block_ = 1;
};

}  // namespace

std::string weight_size_problem(const WeightSource& source, const Shape& shape, std::int64_t tensor) {
  const std::int64_t count = element_count(shape);
  const bool fits = source.offset + count <= tensor && source.added.value_or(0) + count <= tensor;
  // A tensor that holds a single weight holds nothing else.
  const bool alone = source.gates.size() < 2 && !source.added && source.offset == 0;
  if (fits && !(alone && count != tensor)) return {};
  return "the tensor '" + source.tensor->name().substr(0, 200) + "' has " + std::to_string(tensor) + " numbers where " +
         std::to_string(count) + " are needed";
}

std::vector<float> weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& tensor) {
  const Places places(source, shape, tensor.size());
  std::vector<float> values(places.count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = tensor[places.at(i)];
    if (source.added) value += tensor[places.added(i)];
    values[i] = static_cast<float>(source.inverted ? 1 / value : source.scale * value);
  }
  return values;
}

// What is added to a number becomes zero, so that the sum is the new number.
void put_weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& values,
                       std::vector<float>& tensor) {
  const Places places(source, shape, tensor.size());
  if (values.size() != places.count()) {
    throw Error(ErrorCode::kBadInput, std::to_string(values.size()) + " new numbers for " +
                                          std::to_string(places.count()) + " of '" +
                                          source.tensor->name().substr(0, 200) + "'");
  }
  if (source.scale == 0) throw Error(ErrorCode::kBadInput, "the file multiplies these weights by zero");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = source.inverted ? 1 / double{values[i]} : double{values[i]} / source.scale;
    tensor[places.at(i)] = static_cast<float>(value);
    if (source.added) tensor[places.added(i)] = 0;
  }
}

}  // namespace actforge
