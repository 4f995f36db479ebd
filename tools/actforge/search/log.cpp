#include <fmt/format.h>

#include <memory>

#include "actforge/base/read_file.h"
#include "actforge/study/trial_log_file.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  StudyArgument study;
  std::uint64_t trial = 0;
  std::optional<std::uint64_t> attempt;
};

// Why there is none.
[[noreturn]] void refuse(const OpenStudy& study, const Trial& trial, std::int64_t attempt, const std::string& file) {
  const EvaluatorRow& evaluator = find_evaluator(study.settings.evaluator);
  std::string why = fmt::format("'{}' is not there", file);
  if (!evaluator.prints)
    why = fmt::format("only commands have logs; this study has the evaluator '{}'", evaluator.name);
  if (trial.attempt == 0) why = "it has not begun";
  if (attempt > trial.attempt) why = fmt::format("it had {} attempt{}", trial.attempt, trial.attempt == 1 ? "" : "s");
  throw Error(ErrorCode::kBadInput, fmt::format("no log of trial {}: {}", trial.number, why));
}

int run(const Options& options) {
  const OpenStudy study = open_study(options.study.location);
  const Trial trial = find_trial(*study.store, options.trial);
  const auto attempt = static_cast<std::int64_t>(
      options.attempt.value_or(static_cast<std::uint64_t>(std::max<std::int64_t>(1, trial.attempt))));
  const std::string file = trial_log_file(options.study.location, trial.number, attempt);
  const std::optional<std::string> text = attempt <= trial.attempt ? read_file(file) : std::nullopt;
  if (!text) refuse(study, trial, attempt, file);
  if (options.study.json) {
    print_json({{"trial", trial.number}, {"attempt", attempt}, {"file", file}, {"log", *text}});
  } else {
    write_output(*text);
  }
  return 0;
}

}  // namespace

VerbAction add_search_log(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_study_argument(verb, options->study);
  add_whole_number(verb, "TRIAL", options->trial, "The number of a trial")->required();
  add_optional_number(verb, "--attempt", options->attempt, "Which attempt, from 1 [the last]");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
