#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

// Functions that everybody knows, with which strategies begin that predict the others: those of the dissertation.
inline constexpr const char* kStartingFunctions =
    "elu(x), relu(x), selu(x), sigmoid(x), softplus(x), softsign(x), swish(x), tanh(x)";
inline constexpr const char* kStartHelp = "of aquasurf and forge: functions evaluated first, by commas";
inline constexpr const char* kStartStory = "start: evaluated before anything can be predicted";

// Those of the option `start`. Throws Error (kUsage) for what is no function.
std::vector<Expr> starting_functions(const std::string& list);

// Why a study that begins with so many given functions predicts none, where it tries so many in all (0: not known);
// empty: it does.
std::string start_caution(std::uint64_t start, std::uint64_t functions);

}  // namespace actforge
