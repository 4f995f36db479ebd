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

// Three ends of an error message about a word that is not known:
// "; did you mean 'softplus'?", or nothing where no name is near;
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);
// the same, or "; there are: relu, softplus" where no name is near;
std::string nearest_or_list(std::string_view word, std::span<const std::string_view> known);
// and "; did you mean 'softplus'? (there are: relu, softplus)", or " (there are: relu, softplus)".
std::string nearest_and_list(std::string_view word, std::span<const std::string_view> known);

}  // namespace actforge
