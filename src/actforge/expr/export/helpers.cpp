#include "actforge/expr/export/helpers.h"

#include <cctype>

namespace actforge {
namespace {

bool calls(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto is_part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool starts = at == 0 || (!is_part_of_name(text[at - 1]) && text[at - 1] != '.' && text[at - 1] != ':');
    if (starts && text.substr(at + name.size(), 1) == "(") return true;
  }
  return false;
}

}  // namespace

std::string called_helpers(std::string_view text, std::span<const Helper> helpers) {
  std::string found;
  for (std::size_t i = helpers.size(); i-- > 0;) {
    if (calls(text, helpers[i].name) || calls(found, helpers[i].name)) found = helpers[i].source + found;
  }
  return found;
}

}  // namespace actforge
