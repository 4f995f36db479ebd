#include "actforge/contest/contest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/base/random.h"
#include "actforge/benchmark/benchmark_file.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/prepared_space.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_space.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/search/strategies/ranking.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

std::string space_of(const Benchmark& benchmark) {
  if (benchmark.settings.empty()) {
    throw Error(ErrorCode::kUsage, "the benchmark does not say which space it is of; name it with --space");
  }
  return parse_study(benchmark.settings).space;
}

// What stands after the name of a strategy.
void apply_option(StudySettings& settings, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw Error(ErrorCode::kUsage, "'" + text + "' is no option; write it as name=value, such as regressor=gp");
  }
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  const bool is_budget = name == "repeats" || name == "most-runs";
  set_study_field(settings, is_budget ? "budget" : "strategy", name, value);
}

std::vector<std::string> split_at_colons(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Contestant read_contestant(const std::string& text, const ContestOptions& options) {
  const std::vector<std::string> parts = split_at_colons(text);
  Contestant contestant = {.name = text};
  StudySettings& settings = contestant.settings;
  try {
    settings.space = options.space;
    settings.baseline.clear();
    set_study_field(settings, "evaluate", "evaluator", "table");
    set_study_field(settings, "evaluate", "table", options.benchmark);
    set_study_field(settings, "evaluate", "objective",
                    options.measure == BenchmarkMeasure::kAccuracy ? "accuracy" : "loss");
    settings.strategy = find_strategy(parts[0]).name;
    set_study_field(settings, "strategy", "preset", options.preset);
    for (std::size_t i = 1; i < parts.size(); ++i) apply_option(settings, parts[i]);
    settings.trials = options.trials;
    complete_settings(settings);
  } catch (const Error& error) {
    throw Error(error.code(), "strategy '" + text + "': " + error.what());
  }
  return contestant;
}

ContestField::ContestField(ContestOptions options)
    : options_(std::move(options)), benchmark_(shared_benchmark(options_.benchmark)), index_(*benchmark_) {
  if (options_.space.empty()) options_.space = space_of(*benchmark_);
  if (benchmark_->seeds() == 0) throw Error(ErrorCode::kBadInput, options_.benchmark + ": it has no results");
  truth_ = true_scores(*benchmark_, options_.measure);
  const auto [worst, best] = std::ranges::minmax_element(truth_);
  best_ = *best;
  worst_ = *worst;
  for (const KnownFunction& known : common_functions()) {
    const auto found = index_.find(parse(known.expression));
    if (found) known_.push_back({.name = std::string(known.name), .score = truth_[*found]});
  }
  std::ranges::stable_sort(known_, std::ranges::greater(), &Known::score);
}

std::vector<StudyFeatures> ContestField::spectra() const {
  std::vector<StudyFeatures> all;
  for (const BenchmarkFunction& function : benchmark_->functions) {
    StudyFeatures features = {.expression = function.expression,
                              .key = canonical_key(parse(function.expression)),
                              .valid = !function.spectrum.empty(),
                              .values = function.spectrum};
    // A pool of the space may have any of several equal functions.
    for (const std::string& other : function.equivalents) {
      StudyFeatures equal = features;
      equal.key = canonical_key(parse(other));
      if (equal.key != features.key) all.push_back(std::move(equal));
    }
    all.push_back(std::move(features));
  }
  return all;
}

// What is random in a map is in several of them.
std::vector<std::shared_ptr<const PreparedSpace>> ContestField::prepare(const StudySettings& settings,
                                                                        const RunContext& run) const {
  const StrategyRow& row = find_strategy(settings.strategy);
  if (row.prepare == nullptr) return {nullptr};
  const Space space = study_space(settings);
  StrategySetup setup = {.space = &space, .options = settings.options};
  std::vector<StudyFeatures> features;
  if (wants_spectra(settings)) {
    setup.spectra = spectrum_group(settings);
    features = spectra();
    setup.read_spectra = [&](std::int64_t& seen) {
      return std::exchange(seen, 1) == 0 ? features : std::vector<StudyFeatures>();
    };
  }
  std::vector<std::shared_ptr<const PreparedSpace>> prepared;
  const std::uint64_t count = std::clamp<std::uint64_t>(options_.maps, 1, options_.repeats);
  for (std::uint64_t i = 0; i < count; ++i) {
    setup.run = {.seed = run.seed + i, .threads = run.threads, .stop = run.stop};
    prepared.push_back(row.prepare(setup));
    if (const std::size_t missing = prepared.back()->spectra_missing(); missing > 0) {
      throw Error(ErrorCode::kUsage, "the benchmark lacks the spectra of " + std::to_string(missing) +
                                         " functions of the space '" + settings.space + "'");
    }
  }
  return prepared;
}

TrialOutcome ContestField::look_up(const TrialPlan& plan) const {
  const auto found = plan.is_repeat()
                         ? index_.find(parse(plan.expression))
                         : index_.find(FunctionKey{.canonical = plan.key, .fingerprint = plan.fingerprint});
  if (!found || benchmark_->functions[*found].runs.empty()) {
    return {.status = TrialStatus::kFailed, .reason = "not in the benchmark"};
  }
  const std::vector<BenchmarkRun>& runs = benchmark_->functions[*found].runs;
  const std::optional<double> score =
      run_score(runs[Random(plan.seed, 0, "table").below(runs.size())], options_.measure);
  if (!score) return {.status = TrialStatus::kFailed, .reason = "it failed in the benchmark"};
  return {.scores = {*score}};
}

SearchCurve ContestField::search(const StudySettings& settings, const std::shared_ptr<const PreparedSpace>& prepared,
                                 const RunContext& run) const {
  Proposals proposals(settings, nullptr, run, prepared);
  TrialLog log;  // as the study will know it, once it is told
  SearchCurve curve;
  std::vector<Trial> changes;
  std::vector<std::int64_t> with_result;
  double answer = worst_;
  for (std::int64_t number = 0; number < static_cast<std::int64_t>(settings.trials); ++number) {
    run.check();
    const Proposal proposal = proposals(changes, number);
    if (proposal.kind == Proposal::Kind::kWait) throw Error(ErrorCode::kFailed, "the strategy waits for nothing");
    if (proposal.kind == Proposal::Kind::kFinished) break;
    Trial trial = {.number = number, .plan = proposal.plan, .finish_order = number};
    trial.outcome = look_up(proposal.plan);
    if (!trial.plan.is_repeat() && has_result(trial, 1)) with_result.push_back(number);
    log.add(trial);
    changes = {std::move(trial)};
    if (!with_result.empty()) {
      const Ranking ranking(log, with_result, 1);
      const TrialPlan& best = log.trial(ranking.number(ranking.order()[0])).plan;
      const auto found = index_.find(FunctionKey{.canonical = best.key, .fingerprint = best.fingerprint});
      if (found) answer = truth_[*found];
    }
    curve.push_back(answer);
  }
  curve.resize(settings.trials, answer);
  return curve;
}

ContestResult ContestField::run(const Contestant& contestant, const RunContext& context) const {
  const auto begin = std::chrono::steady_clock::now();
  ContestResult result = {.contestant = contestant};
  const auto prepared = prepare(contestant.settings, context);
  result.searches.resize(options_.repeats);
  std::mutex mutex;
  std::size_t done = 0;
  std::atomic<std::size_t> next = 0;
  // Searches take different times: whoever is free takes the next.
  parallel_for(context.threads, thread_count(context.threads), [&](std::size_t, std::size_t, std::size_t) {
    for (std::size_t i = next++; i < result.searches.size(); i = next++) {
      StudySettings settings = contestant.settings;
      settings.seed = context.seed + i;
      result.searches[i] = search(settings, prepared[i % prepared.size()], context);
      const std::lock_guard lock(mutex);
      context.show("searches", ++done, result.searches.size());
    }
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace actforge
