#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {

// Throws Error: "unknown operator 'sofplus'; did you mean 'softplus'?", or, where no name is near, "unknown operator
// 'frob'; there are: relu, softplus" and the hint.
[[noreturn]] void throw_unknown(std::string_view what, std::string_view name,
                                const std::vector<std::string_view>& known, ErrorCode code = ErrorCode::kUsage,
                                std::string_view hint = {});

// The row of a table (of rows, or of pointers to them) that has this name. Throws Error with the nearest name: the one
// place where names that users write are looked up.
template <class Table>
const auto& find_named(const Table& table, std::string_view name, std::string_view what,
                       ErrorCode code = ErrorCode::kUsage) {
  std::vector<std::string_view> known;
  for (const auto& entry : table) {
    const auto& row = [&]() -> const auto& {
      if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(entry)>>) {
        return *entry;
      } else {
        return entry;
      }
    }
    ();
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  throw_unknown(what, name, known, code);
}

}  // namespace actforge
