#include "actforge/space/operator_sets.h"

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
  return set ? *set : parse_operators(text);
}

}  // namespace actforge
