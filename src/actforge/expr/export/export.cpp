#include "actforge/expr/export/export.h"

#include <algorithm>
#include <array>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"

namespace actforge {

ExportTarget pytorch_target();
ExportTarget keras_target();
ExportTarget keras2_target();
ExportTarget tensorflow_target();
ExportTarget jax_target();
ExportTarget onnx_target();
ExportTarget cpp_target();
ExportTarget latex_target();

std::span<const ExportTarget> export_targets() {
  static const std::array kTargets = {pytorch_target(), keras_target(), keras2_target(), tensorflow_target(),
                                      jax_target(),     onnx_target(),  cpp_target(),    latex_target()};
  return kTargets;
}

namespace {

// Words that name something else in the exported files: keywords of Python and C++, what the files import, and the
// functions of <math.h>, which are in the global namespace beside the header's own.
constexpr std::string_view kTaken[] = {
    // clang-format off
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield",
    "alignas", "alignof", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "case", "catch", "char", "char16_t",
    "char32_t", "char8_t", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "decltype", "default", "delete", "do", "double", "dynamic_cast", "enum", "explicit",
    "export", "extern", "false", "float", "friend", "goto", "inline", "int", "long", "mutable", "namespace", "new",
    "noexcept", "not_eq", "nullptr", "operator", "or_eq", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "typedef", "typeid", "typename", "union", "unsigned",
    "div", "random", "system", "free", "nearbyint", "lround", "float_t", "double_t", "NAN", "linux", "unix", "len",
    "using", "virtual", "void", "volatile", "wchar_t", "xor", "xor_eq",
    "F", "ValueError", "init_params", "jax", "jnp", "keras", "main", "max", "min", "ops", "params", "std", "super", "tf", "torch",
    "tuple", "x", "Optional",
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "gamma",
    "hypot", "ilogb", "isinf", "isnan", "j0", "j1", "jn", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb",
    "modf", "nan", "pow", "remainder", "rint", "round", "signgam", "significand", "sin", "sinh", "sqrt", "tan", "tanh",
    "tgamma", "trunc", "y0", "y1", "yn",
    // clang-format on
};

void check_name(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool is_identifier = !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
  if (!is_identifier) {
    throw Error(ErrorCode::kUsage,
                "'" + name + "' cannot name a function; a name has letters, digits and '_', and starts with a letter");
  }
  if (std::ranges::find(kTaken, name) != std::end(kTaken)) {
    throw Error(ErrorCode::kUsage, "'" + name + "' already means something in Python or C++; try 'my_" + name + "'");
  }
}

}  // namespace

namespace {

// As people call them.
struct Nickname {
  std::string_view written, meant;
};
constexpr Nickname kNicknames[] = {{"torch", "pytorch"}, {"tf", "tensorflow"},    {"tf.keras", "keras2"},
                                   {"flax", "jax"},      {"onnxruntime", "onnx"}, {"c++", "cpp"},
                                   {"cxx", "cpp"},       {"tex", "latex"}};

}  // namespace

const ExportTarget& find_export_target(std::string_view name) {
  for (const Nickname& nickname : kNicknames) {
    if (nickname.written != name) continue;
    throw Error(ErrorCode::kUsage, "unknown export target '" + std::string(name) + "'; did you mean '" +
                                       std::string(nickname.meant) + "'?");
  }
  return find_named(export_targets(), name, "export target");
}

std::string export_expr(const Expr& expr, std::string_view target, const ExportOptions& options) {
  const ExportTarget& row = find_export_target(target);
  check_name(options.name);
  return row.write(expr, options);
}

}  // namespace actforge
