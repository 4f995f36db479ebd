#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/expr/language/reference.h"
#include "tools/actforge/common/cli.h"

namespace actforge::tool {

// A verb fills in its options when it is set up, and runs when the command line names it; it returns the exit code.
struct VerbAction {
  VerbAction() = default;
  template <class Call>
  requires std::is_invocable_r_v<int, Call&> VerbAction(
      Call call, std::function<bool()> needs = {})  // NOLINT: a verb's function is all that most have
      : run(std::move(call)), needs_libtorch(std::move(needs)) {}

  std::function<int()> run = {};
  // Asked once the options are known, before it runs. Empty: never.
  std::function<bool()> needs_libtorch = {};
};

struct Verb {
  const char* name;
  const char* summary;
  VerbAction (*add)(CLI::App&);
};

// A command with verbs of its own, such as `actforge fn`; the verb chosen on the command line ends up in `chosen`.
struct VerbGroup {
  const char* name;
  const char* summary;
  const char* footer;
  std::span<const Verb> verbs;
};
void add_group(CLI::App& app, VerbAction& chosen, const VerbGroup& group);

void add_fn(CLI::App& app, VerbAction& chosen);
void add_space(CLI::App& app, VerbAction& chosen);
void add_net(CLI::App& app, VerbAction& chosen);
void add_data(CLI::App& app, VerbAction& chosen);
void add_init(CLI::App& app, VerbAction& chosen);
void add_search(CLI::App& app, VerbAction& chosen);
void add_bench(CLI::App& app, VerbAction& chosen);
void add_reverse(CLI::App& app, VerbAction& chosen);
void add_embed(CLI::App& app, VerbAction& chosen);
void add_report(CLI::App& app, VerbAction& chosen);
void add_train(CLI::App& app, VerbAction& chosen);
void add_fisher(CLI::App& app, VerbAction& chosen);

// Every verb of `fn`. A new one is one file and one line here and in fn.cpp.
VerbAction add_fn_show(CLI::App& app);
VerbAction add_fn_eval(CLI::App& app);
VerbAction add_fn_moments(CLI::App& app);
VerbAction add_fn_plot(CLI::App& app);
VerbAction add_fn_fit(CLI::App& app);
VerbAction add_fn_export(CLI::App& app);
VerbAction add_fn_bench(CLI::App& app);
VerbAction add_fn_list(CLI::App& app);

// And of `space`.
VerbAction add_space_list(CLI::App& app);
VerbAction add_space_show(CLI::App& app);
VerbAction add_space_count(CLI::App& app);
VerbAction add_space_enumerate(CLI::App& app);
VerbAction add_space_sample(CLI::App& app);
VerbAction add_space_mutate(CLI::App& app);
VerbAction add_space_cross(CLI::App& app);

// And of `net`.
VerbAction add_net_list(CLI::App& app);
VerbAction add_net_show(CLI::App& app);

// And of `data`.
VerbAction add_data_list(CLI::App& app);
VerbAction add_data_show(CLI::App& app);

// And of `search`.
VerbAction add_search_new(CLI::App& app);
VerbAction add_search_run(CLI::App& app);
VerbAction add_search_resume(CLI::App& app);
VerbAction add_search_enqueue(CLI::App& app);
VerbAction add_search_status(CLI::App& app);
VerbAction add_search_top(CLI::App& app);
VerbAction add_search_show(CLI::App& app);
VerbAction add_search_log(CLI::App& app);
VerbAction add_search_export(CLI::App& app);
VerbAction add_search_rerank(CLI::App& app);
VerbAction add_search_final(CLI::App& app);
VerbAction add_search_transfer(CLI::App& app);
VerbAction add_search_watch(CLI::App& app);
VerbAction add_search_worker(CLI::App& app);
VerbAction add_search_evaluate(CLI::App& app);

// And of `bench`.
VerbAction add_bench_build(CLI::App& app);
VerbAction add_bench_show(CLI::App& app);
VerbAction add_bench_check(CLI::App& app);
VerbAction add_bench_write(CLI::App& app);
VerbAction add_bench_read(CLI::App& app);
VerbAction add_bench_compare(CLI::App& app);
VerbAction add_bench_explain(CLI::App& app);

// ---- what verbs share

[[noreturn]] void throw_with_caret(const Error& error, const std::string& text);
// Calls `read`; an error that it throws shows where in the text it is.
template <class Read>
auto with_caret(const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw_with_caret(error, text);
  }
}

// An expression from the command line. An error shows where in the text it is.
Expr read_expr(const std::string& text);

// An expression with `--param name=value` settings applied.
Reference read_function(const std::string& text, const std::vector<std::string>& settings);
void add_param_option(CLI::App& verb, std::vector<std::string>& settings);

// "-2,0,1.5": numbers separated by commas.
std::vector<double> read_numbers(const std::string& text, const std::string& option);

// A whole number that is not negative, in decimal digits. Throws Error (kUsage).
std::uint64_t read_whole_number(const std::string& text, const std::string& option);
// An option that takes one.
CLI::Option* add_whole_number(CLI::App& verb, const std::string& option, std::uint64_t& target,
                              const std::string& help);

// The same for an option without a value of its own.
CLI::Option* add_optional_number(CLI::App& verb, const std::string& option, std::optional<std::uint64_t>& target,
                                 const std::string& help);

// A number, or null where there is none in JSON.
nlohmann::json number(double value);
void print_json(const nlohmann::json& json);

// To standard output. Throws Error (kStorage).
void write_output(std::string_view text);
// Empties the buffers of standard output: only then does a full disk or a closed pipe show. Throws Error (kStorage).
void flush_output();

}  // namespace actforge::tool
