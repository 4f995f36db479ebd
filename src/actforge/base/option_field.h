#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace actforge {

// What a user may write for one option.
struct OptionRule {
  std::string_view name;
  double least = 0;
  double most = 1e300;
  std::string_view words = {};  // separated by blanks; empty: any text
};

// Each throws Error (kUsage), which says what is allowed.
void read_option(const OptionRule& rule, const std::string& text, std::uint64_t& value);
void read_option(const OptionRule& rule, const std::string& text, double& value);
void read_option(const OptionRule& rule, const std::string& text, bool& value);
void read_option(const OptionRule& rule, const std::string& text, std::string& value);

// What read_option() takes back to the same value.
std::string option_text(std::uint64_t value);
std::string option_text(double value);
std::string option_text(bool value);
std::string option_text(const std::string& value);

// One field of a struct of options: what a user writes, what it means, what is allowed. A table of these is the
// only place where an option is spelled; help, files and stored settings come from it.
template <class Options>
struct OptionField {
  std::string_view name;
  std::string_view help;
  std::variant<std::uint64_t Options::*, double Options::*, bool Options::*, std::string Options::*> member;
  double least = 0;
  double most = 1e300;
  std::string_view words = {};

  OptionRule rule() const { return {.name = name, .least = least, .most = most, .words = words}; }
};

// Throws Error (kUsage) for an invalid value.
template <class Options>
void set_field(Options& options, const OptionField<Options>& field, const std::string& text) {
  std::visit([&](auto member) { read_option(field.rule(), text, options.*member); }, field.member);
}

template <class Options>
std::string field_text(const Options& options, const OptionField<Options>& field) {
  return std::visit([&](auto member) { return option_text(options.*member); }, field.member);
}

}  // namespace actforge
