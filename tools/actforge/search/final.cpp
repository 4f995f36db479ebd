#include <memory>

#include "actforge/search/settings/train_tasks.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

RateSweep sweep_of(const StageFlags& flags, const StudySettings& settings) {
  RateSweep sweep = {.rates = usual_rates(settings), .runs = static_cast<std::int64_t>(flags.sweep_runs)};
  if (flags.sweep_runs < 1) throw Error(ErrorCode::kUsage, "--sweep-runs: at least one");
  if (flags.rates.empty()) return sweep;
  sweep.rates.clear();
  for (const std::string& text : split_list(flags.rates)) {
    double rate = 0;
    read_option({.name = "rates", .least = 1e-12, .most = 1e6}, text, rate);
    sweep.rates.push_back(rate);
  }
  if (sweep.rates.empty()) throw Error(ErrorCode::kUsage, "--rates: a list such as 0.01,0.03,0.09");
  return sweep;
}

int run(const StageFlags& flags) {
  const OpenStudy study = open_stage(flags);
  StageRequest request = {.question = {.stage = final_stage(study.settings)}};
  StageQuestion& question = request.question;
  if (flags.sweep || !flags.rates.empty()) question.sweep = sweep_of(flags, study.settings);
  question.widen_rates = flags.rates.empty();
  if (flags.confirm || !flags.confirm_net.empty()) {
    const std::string net = absolute_net(flags.confirm_net);
    question.confirm = confirm_stage(study.settings, net);
    train_tasks(question.confirm->settings);  // for its error, before anything is trained
    if (!net.empty()) request.confirm_arguments = {"--net", net};
  }
  const std::vector<std::string> baselines = rivals_of(study.settings, wanted_baselines(flags));
  const Finalists best = finalists(*study.store, study.settings, flags.top, baselines);
  if (!best.functions.empty() && !best.is_reranked) {
    request.notes.push_back(
        "The functions were chosen by the search's own scores, which favour lucky runs; 'search rerank' chooses "
        "better.");
  }
  question.functions = with_flags(best.functions, flags, baselines);
  if (best.functions.empty() && flags.functions.empty() && flags.top > 0) {
    throw Error(ErrorCode::kBadInput,
                "no function of this study has a score yet; let it search first, or name one with --function");
  }
  return print_stage(study, flags, request);
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
