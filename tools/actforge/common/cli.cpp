#include "tools/actforge/common/cli.h"

#include <CLI/CLI.hpp>

namespace actforge::tool::CLI {

Validator::Validator(const ::CLI::Validator& rule) : rule_(std::make_shared<const ::CLI::Validator>(rule)) {}
Validator IsMember(std::vector<std::string> values) { return Validator(::CLI::IsMember(std::move(values))); }
Validator Range(int low, int high) { return Validator(::CLI::Range(low, high)); }
Validator NonNegativeNumber() { return Validator(::CLI::NonNegativeNumber); }

Option* Option::required(bool value) {
  option_.required(value);
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_.type_name(name);
  return this;
}

Option* Option::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Option* Option::common(bool value) {
  is_common_ = value;
  return this;
}

Option* Option::default_str(const std::string& text) {
  option_.default_str(text);
  return this;
}

Option* Option::check(const Validator& validator) {
  option_.check(validator.rule());
  return this;
}

Option* Option::group(const std::string& name) {
  option_.group(name);
  return this;
}

Option* Option::excludes(Option* other) {
  option_.excludes(&other->option_);
  return this;
}

Option* Option::expected(int count) {
  option_.expected(count);
  return this;
}

Option* Option::expected(int least, int most) {
  option_.expected(least, most);
  return this;
}

Option* Option::take_all() {
  option_.take_all();
  return this;
}

Option* Option::allow_extra_args(bool value) {
  option_.allow_extra_args(value);
  return this;
}

// main.cpp puts a blank before what would look like an option but is a value: -86, -inf, -x.
Option* App::keep_valued(::CLI::Option* option) {
  option->transform([](const std::string& text) { return text.starts_with(" -") ? text.substr(1) : text; });
  return keep(option);
}

Option* App::add_option(const std::string& name, std::string& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, std::optional<std::string>& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, std::vector<std::string>& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, double& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, std::optional<double>& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, int& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option(const std::string& name, std::size_t& target, const std::string& help) {
  return keep_valued(app_.add_option(name, target, help));
}

Option* App::add_option_function(const std::string& name, const std::function<void(const std::string&)>& read,
                                 const std::string& help) {
  return keep_valued(app_.add_option_function(name, read, help));
}

Option* App::add_flag(const std::string& name, bool& target, const std::string& help) {
  return keep(app_.add_flag(name, target, help));
}

Option* App::add_flag_callback(const std::string& name, std::function<void()> run, const std::string& help) {
  return keep(app_.add_flag_callback(name, std::move(run), help));
}

Option* App::get_option(const std::string& name) { return keep(app_.get_option(name)); }

App* App::add_subcommand(const std::string& name, const std::string& summary) {
  return keep(app_.add_subcommand(name, summary));
}

App* App::get_subcommand(const std::string& name) { return keep(app_.get_subcommand(name)); }

void App::require_subcommand(int count) { app_.require_subcommand(count); }
void App::callback(std::function<void()> run) { app_.callback(std::move(run)); }
void App::footer(const std::string& text) { app_.footer(text); }
void App::group(const std::string& name) { app_.group(name); }

void App::pass_everything_on() {
  app_.set_help_flag();
  app_.set_help_all_flag();
  app_.prefix_command();
}

}  // namespace actforge::tool::CLI
