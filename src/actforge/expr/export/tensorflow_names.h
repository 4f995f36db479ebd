#pragma once

#include <string>
#include <string_view>

namespace actforge {

// Python that calls keras.ops, as `ops`, and the helpers of keras_helpers(): the same with TensorFlow's own functions,
// after the helpers that it then needs. Throws Error (kFailed) for a function of `ops` that is in no row of the table.
std::string in_tensorflow(std::string_view keras_code);

}  // namespace actforge
