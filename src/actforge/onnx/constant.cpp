#include "actforge/onnx/constant.h"

#include "actforge/base/error.h"
#include "actforge/onnx/tensor.h"

namespace actforge {

std::int64_t OnnxConstant::size() const {
  std::int64_t count = 1;
  for (const Dim& dim : dims) {
    if (dim.size < 0 || (dim.size > 0 && count > kMaxElements / dim.size)) {
      throw Error(ErrorCode::kBadInput, "a constant is too large");
    }
    count *= dim.size;
  }
  return count;
}

Dims plain_dims(const Shape& shape) {
  Dims dims;
  for (const std::int64_t extent : shape) dims.push_back({.size = extent});
  return dims;
}

OnnxConstant constant_of(const onnx::TensorProto& tensor) {
  tensor_size(tensor);  // for its checks
  return {.dims = plain_dims(tensor_dims(tensor)), .tensor = &tensor, .whole = !is_float_type(tensor.data_type())};
}

const std::vector<Symbol>* small_numbers(OnnxConstant& constant, const std::string& folder) {
  if (constant.numbers) return &*constant.numbers;
  const std::int64_t size = constant.size();
  if (size > kMaxFolded || batch_axis(constant.dims)) return nullptr;
  if (constant.fill) {
    constexpr std::int64_t kMaxFilled = 64;  // they cost nothing in the file
    if (size > kMaxFilled) return nullptr;
    constant.numbers.emplace(static_cast<std::size_t>(size), Symbol{.value = *constant.fill});
    return &*constant.numbers;
  }
  if (constant.tensor == nullptr || constant.transposed) return nullptr;
  if (!is_number_type(constant.tensor->data_type())) return nullptr;
  std::vector<Symbol> numbers;
  for (const double value : tensor_numbers(*constant.tensor, folder)) numbers.push_back({.value = value});
  constant.numbers = std::move(numbers);
  return &*constant.numbers;
}

}  // namespace actforge
