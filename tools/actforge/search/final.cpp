#include <memory>

#include "actforge/base/option_field.h"
#include "actforge/base/split_list.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

std::vector<double> read_rates(const std::string& list) {
  std::vector<double> rates;
  for (const std::string& text : split_list(list)) {
    double rate = 0;
    read_option({.name = "rates", .least = 1e-12, .most = 1e6}, text, rate);
    rates.push_back(rate);
  }
  if (rates.empty()) throw Error(ErrorCode::kUsage, "--rates: a list such as 0.01,0.03,0.09");
  return rates;
}

int run(const StageFlags& flags) {
  const OpenStudy study = open_stage(flags);
  FinalTest test = {wanted_after(flags)};
  if (!flags.rates.empty()) test.rates = read_rates(flags.rates);
  test.sweep = flags.sweep;
  test.sweep_runs = static_cast<std::int64_t>(flags.sweep_runs);
  if (test.sweep_runs < 1) throw Error(ErrorCode::kUsage, "--sweep-runs: at least one");
  test.confirm = flags.confirm;
  test.confirm_net = absolute_net(flags.confirm_net);
  return print_stage(study, flags, final_question(study, test), {.net = test.confirm_net});
}

}  // namespace

VerbAction add_search_final(CLI::App& verb) {
  const auto flags = std::make_shared<StageFlags>();
  flags->runs = 10;
  flags->top = 3;
  add_stage_flags(verb, *flags, "all common functions");
  verb.add_flag(
          "--sweep-rates", flags->sweep,
          "Give every function its own best learning rate first, by validation images: 1/4 to 4 times the study's")
      ->common();
  verb.add_option("--rates", flags->rates, "The same with these rates, such as 0.01,0.03,0.09")->type_name("LIST");
  add_whole_number(verb, "--sweep-runs", flags->sweep_runs, "Trainings of each function with each rate");
  verb.add_flag("--confirm", flags->confirm, "Repeat the test with twice the epochs, and say whether the order holds")
      ->common();
  verb.add_option("--confirm-on", flags->confirm_net, "The same on another network")->type_name("NET");
  return [flags] { return run(*flags); };
}

}  // namespace actforge::tool
