#include "actforge/base/suggest.h"

#include <algorithm>
#include <vector>

namespace actforge {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the Damerau-Levenshtein table suffice: a swap looks two rows back.
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kLongestWord = 64;  // a longer word is not a misspelt name; bounds the work
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::size_t best = allowed + 1;
  std::string_view answer;
  for (const std::string_view name : known) {
    const std::size_t longer = std::max(word.size(), name.size()), shorter = std::min(word.size(), name.size());
    if (longer - shorter >= best) continue;  // at least as many edits
    const std::size_t distance = edit_distance(word, name);
    if (distance < best) {
      best = distance;
      answer = name;
    }
  }
  return std::string(answer);
}

std::string name_list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string name = nearest_name(word, known);
  return name.empty() ? std::string() : "; did you mean '" + name + "'?";
}

std::string nearest_or_list(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = did_you_mean(word, known);
  return near.empty() ? "; there are: " + name_list(known) : near;
}

std::string nearest_and_list(std::string_view word, std::span<const std::string_view> known) {
  return did_you_mean(word, known) + " (there are: " + name_list(known) + ")";
}

}  // namespace actforge
