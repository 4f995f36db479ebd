#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

// A name that a framework gives to an operator or to an expression of the language. parse() puts in what it means, so
// that nothing else knows of aliases.
struct Alias {
  std::string_view name;
  std::string_view means;  // an operator's name, or an expression in x
  std::string_view from;   // the frameworks that define it so
};
std::span<const Alias> alias_table();

// A framework's name that cannot be part of an expression, and why.
struct RefusedName {
  std::string_view name;
  std::string_view why;
};
std::span<const RefusedName> refused_names();

// What parse() does with a word that is no operator: it is one of the three, or unknown.
struct AliasMeaning {
  const OpInfo* op = nullptr;
  const Expr* body = nullptr;
  std::string_view refusal = {};
};
AliasMeaning alias_meaning(std::string_view name);

// An operator by its own name or a framework's; null where there is none.
const OpInfo* find_op_or_alias(std::string_view name);

// The names of operators and aliases, for "did you mean".
std::span<const std::string_view> function_names();

}  // namespace actforge
