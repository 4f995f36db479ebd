#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "actforge/base/option_field.h"

namespace actforge {

// Options by name, as a file has them; one that is not there has its default. So a study can keep the options of parts
// whose structs it does not know: each part reads its own (read_options).
using OptionTexts = std::map<std::string, std::string, std::less<>>;

enum class OptionKind { kWhole, kNumber, kFlag, kText };

// A field of some struct, for those who know its options as texts alone.
struct OptionRow {
  std::string_view name;
  std::string_view help;
  OptionKind kind = OptionKind::kText;
  double least = 0;
  double most = 1e300;
  std::string_view words = {};
  std::string usual = {};  // the default

  OptionRule rule() const { return {.name = name, .least = least, .most = most, .words = words}; }
};

// The text that equal values share. Throws Error (kUsage) where the value cannot be.
std::string normal_text(const OptionRow& row, const std::string& text);

void set_field(OptionTexts& options, const OptionRow& row, const std::string& text);
std::string field_text(const OptionTexts& options, const OptionRow& row);

template <class Options>
OptionKind kind_of(const OptionField<Options>& field) {
  if (std::holds_alternative<std::uint64_t Options::*>(field.member)) return OptionKind::kWhole;
  if (std::holds_alternative<double Options::*>(field.member)) return OptionKind::kNumber;
  if (std::holds_alternative<bool Options::*>(field.member)) return OptionKind::kFlag;
  return OptionKind::kText;
}

template <class Options>
OptionRow option_row(const OptionField<Options>& field, const Options& usual = {}) {
  return {.name = field.name,
          .help = field.help,
          .kind = kind_of(field),
          .least = field.least,
          .most = field.most,
          .words = field.words,
          .usual = field_text(usual, field)};
}

// A part's own options, out of those of all. Throws Error (kUsage) where a value cannot be.
template <class Options>
Options read_options(const OptionTexts& texts, std::span<const OptionField<Options>> fields) {
  Options options;
  for (const OptionField<Options>& field : fields) {
    if (const auto found = texts.find(field.name); found != texts.end()) set_field(options, field, found->second);
  }
  return options;
}

// The other way round.
template <class Options>
void write_options(OptionTexts& texts, std::span<const OptionField<Options>> fields, const Options& options) {
  for (const OptionField<Options>& field : fields) texts[std::string(field.name)] = field_text(options, field);
}

}  // namespace actforge
