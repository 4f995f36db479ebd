#pragma once

#include <span>
#include <string>
#include <string_view>

namespace actforge {

// Number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known name closest to `word`, or an empty string when none is close enough to be what was meant.
std::string nearest_name(std::string_view word, std::span<const std::string_view> known);

// "relu, tanh, erf"
std::string name_list(std::span<const std::string_view> names);

// "; did you mean 'softplus'?", or an empty string: made to be appended to an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace actforge
