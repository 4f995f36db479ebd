#include "tools/actforge/common/verb.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/parse.h"

namespace actforge::tool {

void add_group(CLI::App& app, VerbAction& chosen, const VerbGroup& group) {
  CLI::App* command = app.add_subcommand(group.name, group.summary);
  command->footer(group.footer);
  command->require_subcommand(1);
  for (const Verb& verb : group.verbs) {
    CLI::App* sub = command->add_subcommand(verb.name, verb.summary);
    sub->callback([run = verb.add(*sub), &chosen] { chosen = run; });
  }
}

void throw_with_caret(const Error& error, const std::string& text) {
  constexpr std::size_t kWidest = 200;  // in a longer text a caret does not help
  if (!error.position() || text.size() > kWidest || text.find('\n') != std::string::npos) throw error;
  throw Error(error.code(), fmt::format("{}\n  {}\n  {}^", error.what(), text, std::string(*error.position(), ' ')),
              error.position());
}

Expr read_expr(const std::string& text) {
  return with_caret(text, [](const std::string& source) { return parse(source); });
}

void add_param_option(CLI::App& verb, std::vector<std::string>& settings) {
  verb.add_option("--param", settings, "Value of a learnable parameter, such as alpha=0.5; repeatable")
      ->type_name("NAME=VALUE")
      ->take_all();
}

Reference read_function(const std::string& text, const std::vector<std::string>& settings) {
  Reference function(read_expr(text));
  std::vector<std::string> names;
  for (const Parameter& parameter : function.parameters()) names.push_back(parameter_name(parameter.index));
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos) throw Error(ErrorCode::kUsage, "--param takes NAME=VALUE, not '" + setting + "'");
    const std::string name = setting.substr(0, equals);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      const std::vector<std::string_view> known(names.begin(), names.end());
      throw Error(ErrorCode::kUsage, names.empty()
                                         ? "the expression has no learnable parameters"
                                         : fmt::format("no parameter '{}' in the expression{}; it has {}", name,
                                                       did_you_mean(name, known), fmt::join(names, ", ")));
    }
    const std::vector<double> values = read_numbers(setting.substr(equals + 1), "--param");
    if (values.size() != 1) throw Error(ErrorCode::kUsage, "--param takes one value, not '" + setting + "'");
    function.set_parameter(static_cast<std::size_t>(found - names.begin()), values[0]);
  }
  return function;
}

std::vector<double> read_numbers(const std::string& text, const std::string& option) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    while (at < end && (*at == ' ' || *at == '+')) ++at;
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (stop != end && *stop != ',')) {
      throw Error(ErrorCode::kUsage, fmt::format("{} takes numbers separated by commas, not '{}'", option, text));
    }
    numbers.push_back(value);
    if (stop == end) return numbers;
    at = stop + 1;
  }
}

std::uint64_t read_whole_number(const std::string& text, const std::string& option) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) {
    throw Error(ErrorCode::kUsage, fmt::format("{} takes a whole number from 0 to {}, not '{}'", option,
                                               std::numeric_limits<std::uint64_t>::max(), text));
  }
  return value;
}

CLI::Option* add_whole_number(CLI::App& verb, const std::string& option, std::uint64_t& target,
                              const std::string& help) {
  return verb
      .add_option_function(
          option, [&target, option](const std::string& text) { target = read_whole_number(text, option); }, help)
      ->default_str(std::to_string(target))
      ->type_name("N");
}

CLI::Option* add_optional_number(CLI::App& verb, const std::string& option, std::optional<std::uint64_t>& target,
                                 const std::string& help) {
  return verb
      .add_option_function(
          option, [&target, option](const std::string& text) { target = read_whole_number(text, option); }, help)
      ->type_name("N");
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw Error(ErrorCode::kStorage, std::string("cannot write the output: ") + std::strerror(errno));
}

void flush_output() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return;
  throw Error(ErrorCode::kStorage, std::string("cannot write the output: ") + std::strerror(errno != 0 ? errno : EIO));
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

void print_json(const nlohmann::json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace actforge::tool
