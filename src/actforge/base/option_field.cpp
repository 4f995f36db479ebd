#include "actforge/base/option_field.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const OptionRule& rule, const std::string& text, const std::string& wanted,
                         const std::string& hint = {}) {
  throw Error(ErrorCode::kUsage, "--" + std::string(rule.name) + " takes " + wanted + ", not '" + text + "'" + hint);
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

template <class Number>
void read_number(const OptionRule& rule, const std::string& text, Number& to) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto number = static_cast<double>(value);
  if (text.empty() || error != std::errc() || stop != end || !(number >= rule.least && number <= rule.most)) {
    const std::string kind = std::is_integral_v<Number> ? "a whole number" : "a number";
    refuse(rule, text,
           kind + " from " + number_text(rule.least) + (rule.most < 1e300 ? " to " + number_text(rule.most) : " on"));
  }
  to = value;
}

}  // namespace

void read_option(const OptionRule& rule, const std::string& text, std::uint64_t& value) {
  read_number(rule, text, value);
}

void read_option(const OptionRule& rule, const std::string& text, double& value) { read_number(rule, text, value); }

void read_option(const OptionRule& rule, const std::string& text, bool& value) {
  if (text != "true" && text != "false") refuse(rule, text, "true or false");
  value = text == "true";
}

void read_option(const OptionRule& rule, const std::string& text, std::string& value) {
  const std::vector<std::string_view> words = split_words(rule.words);
  if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
    refuse(rule, text, "one of " + name_list(words), did_you_mean(text, words));
  }
  value = text;
}

std::string option_text(std::uint64_t value) { return std::to_string(value); }
std::string option_text(double value) { return number_text(value); }
std::string option_text(bool value) { return value ? "true" : "false"; }
std::string option_text(const std::string& value) { return value; }

}  // namespace actforge
