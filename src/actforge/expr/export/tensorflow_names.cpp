#include "actforge/expr/export/tensorflow_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/expr/export/keras_layer.h"

namespace actforge {
namespace {

struct Name {
  std::string_view keras, tensorflow;
};

constexpr Name kNames[] = {
    {"abs", "tf.abs"},
    {"arcsinh", "tf.asinh"},
    {"arctan", "tf.atan"},
    {"arctanh", "tf.atanh"},
    {"cast", "tf.cast"},
    {"clip", "tf.clip_by_value"},
    {"cos", "tf.cos"},
    {"cosh", "tf.cosh"},
    {"elu", "tf.nn.elu"},
    {"erf", "tf.math.erf"},
    {"exp", "tf.exp"},
    {"expm1", "tf.math.expm1"},
    {"full_like", "_full_like"},
    {"gelu", "tf.nn.gelu"},
    {"leaky_relu", "tf.nn.leaky_relu"},
    {"log", "tf.math.log"},
    {"log_sigmoid", "tf.math.log_sigmoid"},
    {"logical_and", "tf.logical_and"},
    {"logical_or", "tf.logical_or"},
    {"maximum", "tf.maximum"},
    {"minimum", "tf.minimum"},
    {"ones_like", "tf.ones_like"},
    {"power", "tf.pow"},
    {"relu", "tf.nn.relu"},
    {"selu", "tf.nn.selu"},
    {"sigmoid", "tf.sigmoid"},
    {"sign", "tf.sign"},
    {"silu", "tf.nn.silu"},
    {"sin", "tf.sin"},
    {"sinh", "tf.sinh"},
    {"softplus", "tf.nn.softplus"},
    {"sqrt", "tf.sqrt"},
    {"square", "tf.square"},
    {"stop_gradient", "tf.stop_gradient"},
    {"tanh", "tf.tanh"},
    {"where", "tf.where"},
    {"zeros_like", "tf.zeros_like"},
};

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string replace_ops(std::string_view text) {
  constexpr std::string_view kPrefix = "ops.";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = text.substr(at).starts_with(kPrefix) && (at == 0 || !is_part_of_name(text[at - 1]));
    if (!begins) {
      result += text[at++];
      continue;
    }
    std::size_t end = at + kPrefix.size();
    while (end < text.size() && is_part_of_name(text[end])) ++end;
    const std::string_view wanted = text.substr(at + kPrefix.size(), end - at - kPrefix.size());
    const auto* const found = std::ranges::find(kNames, wanted, &Name::keras);
    if (found == std::end(kNames)) {
      throw Error(ErrorCode::kFailed, "tensorflow_names.cpp has no row for ops." + std::string(wanted));
    }
    result += found->tensorflow;
    at = end;
  }
  return result;
}

// In place of those of Keras that have the same names.
std::vector<Helper> own_helpers() {
  return {
      {"_full_like", R"(def _full_like(a, value):
    """As many numbers as in a, of its type."""
    return tf.ones_like(a) * value


)"},
      {"_erfc", R"(def _erfc(a):
    return tf.math.erfc(a)


)"},
      {"_bessel_i0e", R"(def _bessel_i0e(a):
    """In float32 where a is bfloat16, for which not every device has it."""
    wide = tf.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a
    return tf.cast(tf.math.bessel_i0e(wide), a.dtype)


)"},
      {"_bessel_i1e", R"(def _bessel_i1e(a):
    """In float32 where a is bfloat16, for which not every device has it."""
    wide = tf.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a
    return tf.cast(tf.math.bessel_i1e(wide), a.dtype)


)"},
  };
}

std::span<const Helper> helpers() {
  static const std::vector<Helper> list = [] {
    std::vector<Helper> all = own_helpers();
    for (const Helper& helper : keras_helpers()) {
      if (std::ranges::find(all, helper.name, &Helper::name) != all.end()) continue;
      all.push_back({helper.name, replace_ops(helper.source)});
    }
    return all;
  }();
  return list;
}

}  // namespace

std::string in_tensorflow(std::string_view keras_code) {
  const std::string code = replace_ops(keras_code);
  return called_helpers(code, helpers()) + code;
}

}  // namespace actforge
