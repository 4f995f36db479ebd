#include "actforge/base/option_texts.h"

namespace actforge {
namespace {

template <class Value>
std::string read_back(const OptionRule& rule, const std::string& text) {
  Value value = {};
  read_option(rule, text, value);
  return option_text(value);
}

}  // namespace

std::string normal_text(const OptionRow& row, const std::string& text) {
  switch (row.kind) {
    case OptionKind::kWhole: return read_back<std::uint64_t>(row.rule(), text);
    case OptionKind::kNumber: return read_back<double>(row.rule(), text);
    case OptionKind::kFlag: return read_back<bool>(row.rule(), text);
    case OptionKind::kText: break;
  }
  return read_back<std::string>(row.rule(), text);
}

void set_field(OptionTexts& options, const OptionRow& row, const std::string& text) {
  options[std::string(row.name)] = normal_text(row, text);
}

std::string field_text(const OptionTexts& options, const OptionRow& row) {
  const auto found = options.find(row.name);
  return found == options.end() ? row.usual : found->second;
}

}  // namespace actforge
