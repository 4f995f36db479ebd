#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

// One property that a space can ask of its functions. Parameters have their initial values.
struct RequirementRow {
  std::string_view name;
  std::string_view summary;
  bool has_limit = false;  // written as name<=limit
  // Why a function does not have it; empty: it has.
  std::string (*refuse)(const Expr& expr, double limit) = nullptr;
};
std::span<const RequirementRow> requirement_rows();

struct Requirement {
  std::string_view name;  // of a row
  double limit = 0;
  bool operator==(const Requirement&) const = default;
};

// What functions must have to be drawn from a space; in the order of the table, each once.
using Requirements = std::vector<Requirement>;

// "not-constant,finite,cost<=8", or "none". Throws Error (kUsage), which says what there is.
Requirements read_requirements(std::string_view text);
std::string requirements_text(const Requirements& requirements);

// Why a function is refused; empty: it is not. The same on every machine.
std::string refusal(const Requirements& requirements, const Expr& expr);

// Where one draw after another was refused. Throws Error (kBadInput).
inline constexpr int kMostRefused = 1000;
[[noreturn]] void throw_all_refused(const Requirements& requirements, const std::string& last);

}  // namespace actforge
