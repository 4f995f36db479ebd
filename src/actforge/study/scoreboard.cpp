#include "actforge/study/scoreboard.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/digits_text.h"
#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/search/strategies/ranking.h"
#include "actforge/study/stage.h"
#include "actforge/study/study.h"
#include "actforge/study/summary.h"

namespace actforge {
namespace {

// More is better.
double first_score(const Standing& standing) { return standing.trial.outcome.scores[0]; }

// Several evaluations of a function, of all objectives.
struct Evaluations {
  std::vector<Scores> scores = {};
  std::size_t failed = 0;
  double seconds = 0;
};

// The baseline's, which were made before the search.
Evaluations baseline_runs(Store& store, const StudySettings& settings) {
  Evaluations evaluations;
  if (settings.baseline.empty()) return evaluations;
  const std::size_t objectives = study_objectives(settings).size();
  const std::optional<std::string> function = evaluated_text(settings, {.plan = {.expression = settings.baseline}});
  if (!function) return evaluations;  // it has no normal form, hence no runs
  const std::string key = canonical_key(parse(*function));
  for (const StudyRun& run : store.runs(stage_group(baseline_stage(settings)))) {
    if (run.key != key) continue;
    evaluations.seconds += run.outcome.seconds;
    if (run.outcome.status == TrialStatus::kCompleted && run.outcome.scores.size() >= objectives) {
      evaluations.scores.push_back(run.outcome.scores);
    } else {
      ++evaluations.failed;
    }
  }
  return evaluations;
}

// Of a study with results.
class ScoreboardMaker {
 public:
  ScoreboardMaker(Store& store, const StudySettings& settings)
      : settings_(settings),
        objectives_(study_objectives(settings).size()),
        keys_(sameness(settings)),
        log_(sameness(settings)) {
    store.each([&](const Trial& trial) { log_.add(trial); });
    baseline_ = baseline_runs(store, settings);
  }

  Scoreboard make() {
    const ScoreEstimates estimates(log_, objectives_);
    find_noise(estimates);
    board_.varies = find_evaluator(settings_.evaluator).nature(settings_.evaluate).varies;
    for (const std::int64_t number : log_.finished()) {
      if (has_result(log_.trial(number), objectives_)) board_.rows.push_back(standing_of(estimates, number));
    }
    add_baseline();
    for (const KnownFunction& known : common_functions()) name(known);
    for (const KnownFunction& known : known_functions()) name(known);
    sort();
    return std::move(board_);
  }

 private:
  void find_noise(const ScoreEstimates& estimates) {
    board_.noise = estimates.noise();
    board_.degrees = estimates.degrees();
    if (board_.degrees > 0 || baseline_.scores.size() < 2) return;
    std::vector<double> scores;
    for (const Scores& run : baseline_.scores) scores.push_back(run[0]);
    board_.noise = summarise_sample(scores).deviation;
    board_.degrees = static_cast<double>(scores.size() - 1);
  }

  double error(std::size_t runs) const { return board_.noise / std::sqrt(static_cast<double>(runs)); }

  Standing standing_of(const ScoreEstimates& estimates, std::int64_t number) const {
    const ScoreEstimate first = estimates.of(number);
    Standing standing = {.trial = log_.trial(number), .runs = first.runs, .failed = first.failed};
    for (std::size_t i = 0; i < objectives_; ++i) standing.trial.outcome.scores[i] = estimates.of(number, i).mean;
    if (first.failed == 0) standing.interval = student_interval(first.mean, first.error, estimates.degrees());
    return standing;
  }

  // The trials of an equal function: one; in a joint search one for each choice of hyperparameters.
  std::vector<Standing*> rows_of(const std::string& expression) {
    const FunctionKey key = keys_(parse(expression));
    const std::optional<std::int64_t> number = log_.find(key);
    std::vector<Standing*> found;
    for (Standing& row : board_.rows) {
      const bool is_equal = is_joint_ ? row.trial.number >= 0 && is_same_function(function_key(row.trial.plan), key)
                                      : row.trial.number == number;
      if (is_equal) found.push_back(&row);
    }
    return found;
  }

  // Its runs count with the trial of an equal function.
  void add_baseline() {
    const std::vector<Standing*> equal =
        settings_.baseline.empty() || is_joint_ ? std::vector<Standing*>() : rows_of(settings_.baseline);
    Standing* row = equal.empty() ? nullptr : equal[0];
    if (row == nullptr && baseline_.scores.empty()) return;
    if (row == nullptr) {
      row = &board_.rows.emplace_back();
      row->runs = 0;
      row->trial = {.number = -1, .plan = {.expression = settings_.baseline, .origin = "baseline"}};
      row->trial.plan.hyperparameters = study_hyperparameters(settings_).middle();
      row->trial.outcome.scores.assign(objectives_, 0);
      row->trial.outcome.seconds = baseline_.seconds / static_cast<double>(baseline_.scores.size() + baseline_.failed);
    }
    row->known_as = settings_.baseline;
    row->is_baseline = true;
    count_baseline(*row);
  }

  // A run that failed counts as the worst of the study, as with trials.
  void count_baseline(Standing& row) const {
    const std::size_t runs = row.runs + baseline_.scores.size() + baseline_.failed;
    for (std::size_t i = 0; i < objectives_; ++i) {
      double sum = row.trial.outcome.scores[i] * static_cast<double>(row.runs), worst = INFINITY;
      for (const Scores& scores : baseline_.scores) sum += scores[i];
      for (const Scores& scores : baseline_.scores) worst = std::min(worst, scores[i]);
      for (const Standing& other : board_.rows) {
        if (&other != &row) worst = std::min(worst, other.trial.outcome.scores[i]);
      }
      if (baseline_.failed > 0 && std::isfinite(worst)) sum += worst * static_cast<double>(baseline_.failed);
      row.trial.outcome.scores[i] = sum / static_cast<double>(runs);
    }
    row.runs = runs;
    row.failed += baseline_.failed;
    row.interval = {};
    if (row.failed == 0) row.interval = student_interval(first_score(row), error(runs), board_.degrees);
  }

  void name(const KnownFunction& known) {
    const std::string expression(known.expression);
    if (!settings_.baseline.empty() && is_same_function(keys_(parse(expression)), keys_(parse(settings_.baseline)))) {
      const auto row = std::ranges::find_if(board_.rows, &Standing::is_baseline);
      if (row != board_.rows.end()) row->known_as = known.name;
      if (!is_joint_) return;
    }
    for (Standing* row : rows_of(expression)) row->known_as = known.name;
  }

  void sort() {
    const auto rank = [&](const Standing& s) { return first_score(s) - error(s.runs); };
    std::ranges::stable_sort(board_.rows, [&](const Standing& a, const Standing& b) {
      return rank(a) != rank(b) ? rank(a) > rank(b) : a.trial.number < b.trial.number;
    });
  }

  const StudySettings& settings_;
  std::size_t objectives_;
  bool is_joint_ = !settings_.with.empty();
  FunctionKeys keys_;
  TrialLog log_;
  Evaluations baseline_;
  Scoreboard board_;
};

// How much better a function is than another, with 95% certainty; of exact scores without any width.
Interval advantage(const Scoreboard& board, const Standing& found, const Standing& known) {
  const double difference = first_score(found) - first_score(known);
  if (!board.varies) return {.low = difference, .high = difference};
  const double parts = 1 / static_cast<double>(found.runs) + 1 / static_cast<double>(known.runs);
  return student_interval(difference, board.noise * std::sqrt(parts), board.degrees);
}

// Under the name that people know, however it was written when it was tried.
std::string rival_text(const Standing& standing) {
  const std::string& tried = standing.trial.plan.expression;
  for (const auto& table : {common_functions(), known_functions()}) {
    for (const KnownFunction& known : table) {
      if (known.name != standing.known_as) continue;
      const std::string usual = to_call(parse(known.expression));
      return usual == tried ? usual : usual + " (tried as " + tried + ")";
    }
  }
  return tried;
}

std::string interval_text(const Interval& interval) {
  return with_digits(interval.low, 3) + " to " + with_digits(interval.high, 3);
}

}  // namespace

Scoreboard scoreboard(Store& store, const StudySettings& settings) { return ScoreboardMaker(store, settings).make(); }

std::vector<Standing> known_standings(const Scoreboard& board) {
  std::vector<Standing> known;
  std::ranges::copy_if(board.rows, std::back_inserter(known), [](const Standing& s) { return !s.known_as.empty(); });
  return known;
}

std::optional<Standing> best_found(const Scoreboard& board) {
  const auto found = std::ranges::find_if(board.rows, [](const Standing& s) { return s.known_as.empty(); });
  return found == board.rows.end() ? std::nullopt : std::optional(*found);
}

std::vector<Standing> best_rows(const Scoreboard& board, std::size_t count) {
  std::vector<Standing> best;
  for (const Standing& row : board.rows) {
    if (best.size() < count && row.trial.number >= 0) best.push_back(row);
  }
  return best;
}

std::vector<Standing> shown_standings(const Scoreboard& board, const std::vector<Standing>& best) {
  const std::optional<Standing> found = best_found(board);
  std::vector<Standing> shown;
  for (const Standing& row : board.rows) {
    const auto is_row = [&](const Standing& other) { return other.trial.number == row.trial.number; };
    if (!row.known_as.empty() || (found && is_row(*found)) || std::ranges::any_of(best, is_row)) shown.push_back(row);
  }
  return shown;
}

namespace {

StudyVerdict verdict_by(const Scoreboard& board, const Objective& objective) {
  using Kind = StudyVerdict::Kind;
  const auto best = [&](bool is_known) {
    return std::ranges::find_if(board.rows, [&](const Standing& s) { return s.known_as.empty() != is_known; });
  };
  const auto found = best(false), known = best(true);
  if (known == board.rows.end()) return {};
  const std::string rival = rival_text(*known), score = score_text(objective, first_score(*known));
  const std::string behind =
      "No function found so far beats " + rival + ", the best of the well-known functions measured. It has " + score;
  if (found == board.rows.end()) return {Kind::kBehind, behind + "; no other function has a score yet."};
  const std::string name = found->trial.plan.expression, own = score_text(objective, first_score(*found));
  if (first_score(*found) <= first_score(*known)) {
    return {Kind::kBehind, behind + ", and the best function found, " + name + ", " + own + "."};
  }
  if (found->trial.plan.hyperparameters != known->trial.plan.hyperparameters) {
    return {Kind::kUnsure, behind + ", with " + hyperparameters_text(known->trial.plan.hyperparameters) +
                               "; the best function found, " + name + ", has " + own + ", with " +
                               hyperparameters_text(found->trial.plan.hyperparameters) +
                               ". 'search final --sweep-rates' compares functions at their own best learning rates."};
  }
  const Interval better = advantage(board, *found, *known);
  if (better.low <= 0) {
    return {Kind::kUnsure, behind + "; the best function found, " + name + ", has " + own +
                               ", which is within the noise: it is better by " + interval_text(better) + " (95%)."};
  }
  const std::string ahead = ", the best of the well-known functions measured: " + own + " against " + score;
  if (std::isnan(better.low)) {
    return {Kind::kUnsure, name + " is above " + rival + ahead + ", by single evaluations whose noise is not known."};
  }
  return {Kind::kAhead,
          name + " beats " + rival + ahead + (board.varies ? ", better by " + interval_text(better) + " (95%)." : ".")};
}

}  // namespace

StudyVerdict study_verdict(const Scoreboard& board, const Objective& objective) {
  StudyVerdict verdict = verdict_by(board, objective);
  const bool has_several = !board.rows.empty() && board.rows[0].trial.outcome.scores.size() > 1;
  if (has_several && !verdict.text.empty())
    verdict.text += " Only " + objective.name + ", the first objective, is compared.";
  return verdict;
}

}  // namespace actforge
