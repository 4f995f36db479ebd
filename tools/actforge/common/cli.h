#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

// What verbs use of CLI11, under CLI11's own names and with its meaning. A file that includes <CLI/CLI.hpp> takes
// seconds to compile, whatever else is in it: there are dozens of objects in that header. Here only cli.cpp and
// main.cpp do.
namespace actforge::tool::CLI {

// What a value must be.
class Validator {
 public:
  explicit Validator(const ::CLI::Validator& rule);
  const ::CLI::Validator& rule() const { return *rule_; }

 private:
  std::shared_ptr<const ::CLI::Validator> rule_;
};
Validator IsMember(std::vector<std::string> values);
Validator Range(int low, int high);
Validator NonNegativeNumber();

class Option {
 public:
  explicit Option(::CLI::Option& option) : option_(option) {}

  Option* required(bool value = true);
  Option* type_name(const std::string& name);
  Option* capture_default_str();
  Option* default_str(const std::string& text);
  Option* check(const Validator& validator);
  Option* group(const std::string& name);
  Option* excludes(Option* other);
  Option* expected(int count);
  Option* take_all();
  Option* allow_extra_args(bool value);
  // One of the few that the short help shows.
  Option* common(bool value = true);

  bool is_common() const { return is_common_; }
  const ::CLI::Option& of_cli11() const { return option_; }

 private:
  ::CLI::Option& option_;
  bool is_common_ = false;
};

// A command. What it gives out lives as long as it does.
class App {
 public:
  explicit App(::CLI::App& app) : app_(app) {}
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  Option* add_option(const std::string& name, std::string& target, const std::string& help);
  Option* add_option(const std::string& name, std::optional<std::string>& target, const std::string& help);
  Option* add_option(const std::string& name, std::vector<std::string>& target, const std::string& help);
  Option* add_option(const std::string& name, double& target, const std::string& help);
  Option* add_option(const std::string& name, std::optional<double>& target, const std::string& help);
  Option* add_option(const std::string& name, int& target, const std::string& help);
  Option* add_option(const std::string& name, std::size_t& target, const std::string& help);
  Option* add_option_function(const std::string& name, const std::function<void(const std::string&)>& read,
                              const std::string& help);
  Option* add_flag(const std::string& name, bool& target, const std::string& help);
  Option* add_flag_callback(const std::string& name, std::function<void()> run, const std::string& help);
  Option* get_option(const std::string& name);

  App* add_subcommand(const std::string& name, const std::string& summary);
  App* get_subcommand(const std::string& name);
  void require_subcommand(int count);

  void callback(std::function<void()> run);
  void footer(const std::string& text);
  void group(const std::string& name);
  // The rest of the command line is somebody else's, --help included.
  void pass_everything_on();

  const ::CLI::App& of_cli11() const { return app_; }
  const std::deque<Option>& options() const { return options_; }
  const std::vector<std::unique_ptr<App>>& commands() const { return commands_; }

 private:
  Option* keep(::CLI::Option* option) { return &options_.emplace_back(*option); }
  Option* keep_valued(::CLI::Option* option);
  App* keep(::CLI::App* app) { return commands_.emplace_back(std::make_unique<App>(*app)).get(); }

  ::CLI::App& app_;
  std::deque<Option> options_ = {};
  std::vector<std::unique_ptr<App>> commands_ = {};
};

}  // namespace actforge::tool::CLI
