#include "actforge/init/maps/map_rules.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "actforge/base/error.h"
#include "actforge/init/maps/rule_formula.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

RuleFormula read_formula(const toml::table& rule, const std::string& type, const char* key) {
  const toml::node* node = rule.get(key);
  if (node == nullptr) refuse("[" + type + "]: '" + key + "' is missing");
  try {
    if (const auto number = node->value_exact<std::int64_t>()) return RuleFormula(std::to_string(*number));
    if (const auto number = node->value_exact<double>()) return RuleFormula::constant(*number);
    if (const auto text = node->value_exact<std::string>()) return RuleFormula(*text);
  } catch (const Error& error) {
    refuse("[" + type + "] " + key + ": " + error.what());
  }
  refuse("[" + type + "]: '" + key + "' is a formula in quotes, such as \"2*m\"");
}

MomentMap make_map(const std::string& type, const toml::table& rule) {
  for (const auto& [key, value] : rule) {
    if (key.str() != "mean" && key.str() != "variance") {
      refuse("[" + type + "]: unknown key '" + std::string(key.str()) + "'; there are: mean, variance");
    }
  }
  return [type, mean = read_formula(rule, type, "mean"),
          variance = read_formula(rule, type, "variance")](const MomentQuery& q) {
    MomentResult answer;
    try {
      answer.output = {mean.value(q.inputs), variance.value(q.inputs)};
    } catch (const Error& error) {
      refuse("the rule [" + type + "] for layer '" + q.layer().name + "': " + error.what());
    }
    if (!(answer.output.variance >= 0) || !std::isfinite(answer.output.mean)) {
      refuse("the rule [" + type + "] gives layer '" + q.layer().name + "' mean " + std::to_string(answer.output.mean) +
             " and variance " + std::to_string(answer.output.variance));
    }
    return answer;
  };
}

}  // namespace

std::map<std::string, MomentMap, std::less<>> parse_map_rules(std::string_view text) {
  constexpr std::ptrdiff_t kMostDots = 5000;
  std::map<std::string, MomentMap, std::less<>> maps;
  // toml++ goes down one call for every dot of a key, and has no limit.
  if (std::ranges::count(text, '.') > kMostDots) refuse("more than " + std::to_string(kMostDots) + " dots");
  try {
    const toml::table file = toml::parse(text);
    for (const auto& [key, value] : file) {
      const std::string type(key.str());
      if (!value.is_table()) refuse("'" + type + "' is not a table: write [" + type + "], then mean and variance");
      maps.emplace(type, make_map(type, *value.as_table()));
    }
  } catch (const toml::parse_error& error) {
    refuse("line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  return maps;
}

std::map<std::string, MomentMap, std::less<>> read_map_rules(const std::string& path) {
  constexpr std::streamsize kLargest = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(kLargest) + 1, '\0');
  file.read(text.data(), kLargest + 1);
  if (file.bad() || (file.fail() && !file.eof())) refuse("'" + path + "' cannot be read");
  if (file.gcount() > kLargest) refuse("'" + path + "' is too large");
  text.resize(static_cast<std::size_t>(file.gcount()));
  try {
    return parse_map_rules(text);
  } catch (const Error& error) {
    refuse(path + ": " + error.what());
  }
}

}  // namespace actforge
