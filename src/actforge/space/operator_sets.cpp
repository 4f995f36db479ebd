#include "actforge/space/operator_sets.h"

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/alias.h"
#include "actforge/space/schema.h"

namespace actforge {

std::optional<std::vector<Op>> operator_set(std::string_view name, int arity) {
  const bool cafe = name == "cafe";
  if (!cafe && name != "pangaea") return std::nullopt;
  if (arity == kVariadic) return std::vector{Op::kSumN, Op::kProdN, Op::kMaxN, Op::kMinN};
  const std::span<const Op> set =
      arity == 1 ? (cafe ? cafe_unary() : pangaea_unary()) : (cafe ? cafe_binary() : pangaea_binary());
  return std::vector(set.begin(), set.end());
}

std::string operator_set_name(const std::vector<Op>& ops, int arity) {
  for (const char* name : {"pangaea", "cafe"}) {
    if (operator_set(name, arity) == ops) return name;
  }
  return {};
}

std::vector<Op> read_operators(std::string_view text, int arity) {
  const auto set = operator_set(text, arity);
  if (set) return *set;
  if (text.find(',') == std::string_view::npos && find_op_or_alias(text) == nullptr) {
    const std::vector<std::string_view> sets = {"pangaea", "cafe"};
    const std::string hint = did_you_mean(text, sets);
    if (!hint.empty())
      throw Error(ErrorCode::kBadInput, "unknown operator or set '" + std::string(text) + "'" + hint, 0);
  }
  return parse_operators(text);
}

}  // namespace actforge
