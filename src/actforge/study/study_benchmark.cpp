#include "actforge/study/study_benchmark.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "actforge/base/error.h"
#include "actforge/base/version.h"
#include "actforge/benchmark/benchmark_file.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/space/find_space.h"
#include "actforge/space/unique.h"

namespace actforge {
namespace {

BenchmarkRun run_of(const Trial& trial) {
  BenchmarkRun run = {.completed = trial.status() == TrialStatus::kCompleted,
                      .seed = trial.plan.seed,
                      .seconds = trial.outcome.seconds};
  const nlohmann::json metrics = nlohmann::json::parse(trial.outcome.metrics, nullptr, /*allow_exceptions=*/false);
  if (!metrics.is_object() || !metrics.contains("tasks") || !metrics["tasks"].is_array() || metrics["tasks"].empty()) {
    return run;
  }
  const nlohmann::json& task = metrics["tasks"][0];
  const auto read = [&](const char* name, double& value) {
    const auto found = task.find(name);
    if (found != task.end() && found->is_number()) value = found->get<double>();
  };
  read("validation_accuracy", run.accuracy);
  read("validation_loss", run.loss);
  read("train_accuracy", run.train_accuracy);
  read("train_loss", run.train_loss);
  return run;
}

// By the first of each class of equal functions, the others.
std::unordered_map<std::string, std::vector<std::string>> equal_functions(const Space& space, const RunContext& run) {
  std::unordered_map<std::string, std::vector<std::string>> equals;
  if (space.total() > Integer(kMostCompared)) return equals;
  for (const std::vector<std::uint32_t>& members : find_unique(space, {.run = run}).members()) {
    std::vector<std::string>& others = equals[to_call(space.at(members[0]))];
    for (std::size_t i = 1; i < members.size(); ++i) others.push_back(to_call(space.at(members[i])));
  }
  return equals;
}

void add_spectra(Store& store, const std::string& group, std::unordered_map<std::string, std::size_t>& by_key,
                 Benchmark& benchmark) {
  benchmark.spectra = group;
  std::int64_t seen = 0;
  for (StudyFeatures& features : store.features(group, seen)) {
    const auto found = by_key.find(features.key);
    if (found == by_key.end()) continue;
    BenchmarkFunction& function = benchmark.functions[found->second];
    function.spectrum = std::move(features.values);
    function.reason = std::move(features.reason);
  }
}

}  // namespace

void set_benchmark_defaults(StudySettings& settings) {
  settings.baseline.clear();
  set_study_field(settings, "space", "space", "aquasurf-3");
  set_study_field(settings, "space", "require", "none");
  set_study_field(settings, "strategy", "strategy", "exhaustive");
  set_study_field(settings, "strategy", "runs", "3");
  set_study_field(settings, "strategy", "spectra", "true");
}

Benchmark benchmark_of_study(const OpenStudy& study, const RunContext& run) {
  if (!find_evaluator(study.settings.evaluator).trains || study_tasks(study.settings).size() != 1) {
    throw Error(ErrorCode::kUsage, "a benchmark is a study that trains one network on one data set, and '" +
                                       study.location + "' does not");
  }
  if (!study.settings.with.empty()) {
    throw Error(ErrorCode::kUsage, "a benchmark trains all functions alike, and '" + study.location +
                                       "' searched hyperparameters with them");
  }
  Benchmark benchmark = {.command = build_command(study.settings),
                         .settings = study_toml(study.settings, false),
                         .version = software_version()};
  std::unordered_map<std::int64_t, std::size_t> by_trial;
  std::unordered_map<std::string, std::size_t> by_key;
  auto equals = equal_functions(find_space(study.settings.space), run);
  study.store->each([&](const Trial& trial) {
    if (!is_over(trial.status()) || trial.status() == TrialStatus::kQuarantined) return;
    if (!trial.plan.is_repeat()) {
      by_trial[trial.number] = by_key[trial.plan.key] = benchmark.functions.size();
      benchmark.functions.push_back({.expression = trial.plan.expression});
      if (const auto others = equals.find(trial.plan.expression); others != equals.end()) {
        benchmark.functions.back().equivalents = std::move(others->second);
      }
    }
    const auto function = by_trial.find(trial.plan.is_repeat() ? trial.plan.repeat_of : trial.number);
    if (function != by_trial.end()) benchmark.functions[function->second].runs.push_back(run_of(trial));
  });
  add_spectra(*study.store, spectrum_group(study.settings), by_key, benchmark);
  return benchmark;
}

void add_seeds(Benchmark& benchmark, const Benchmark& more) {
  const auto conditions = [](const Benchmark& from) {
    StudySettings settings = parse_study(from.settings);
    settings.seed = 0;
    for (const char* name : {"runs", "spectra"}) settings.options.erase(name);
    return settings;
  };
  for (const std::string& difference : study_differences(conditions(benchmark), conditions(more))) {
    throw Error(ErrorCode::kUsage, "these benchmarks do not belong together: " + difference);
  }
  std::unordered_map<std::string, const BenchmarkFunction*> others;
  for (const BenchmarkFunction& function : more.functions) others[function.expression] = &function;
  for (BenchmarkFunction& function : benchmark.functions) {
    const auto other = others.find(function.expression);
    if (other == others.end()) continue;
    for (const BenchmarkRun& run : other->second->runs) {
      const bool is_there =
          std::ranges::any_of(function.runs, [&](const BenchmarkRun& r) { return r.seed == run.seed; });
      if (!is_there) function.runs.push_back(run);
    }
    if (function.spectrum.empty()) function.spectrum = other->second->spectrum;
  }
}

Benchmark open_benchmark(const std::string& path) {
  constexpr std::string_view kStudy = "SQLite format 3";
  std::string head(kStudy.size(), '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == kStudy ? benchmark_of_study(open_study(path)) : read_benchmark(path);
}

std::string build_command(const StudySettings& settings) {
  std::string command =
      "actforge bench build --space " + settings.space + " --net " + settings.net + " --data " + settings.data;
  if (settings.subset > 0) command += " --subset " + std::to_string(settings.subset);
  if (settings.validation > 0) command += " --validation " + std::to_string(settings.validation);
  if (!settings.recipe.empty()) command += " --recipe " + settings.recipe;
  for (const auto& [name, value] : settings.train) command += " --" + name + " " + value;
  if (settings.normal_form != "none") command += " --normal-form " + settings.normal_form;
  const auto runs = settings.options.find("runs");
  if (runs != settings.options.end()) command += " --runs " + runs->second;
  if (settings.seed != 0) command += " --seed " + std::to_string(settings.seed);
  return command;
}

}  // namespace actforge
