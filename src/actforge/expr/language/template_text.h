#pragma once

#include <string>
#include <string_view>

namespace actforge {

// Replaces {a}, {A}, {b}, {y} in a spelling of the operator table by what `value_of` says; other braces stay.
template <class ValueOf>
std::string fill_template(std::string_view pattern, ValueOf value_of) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view key = pattern.substr(i, 3);
    if (key == "{a}" || key == "{A}" || key == "{b}" || key == "{y}") {
      text += value_of(key.substr(1, 1));
      i += 2;
    } else {
      text += pattern[i];
    }
  }
  return text;
}

}  // namespace actforge
