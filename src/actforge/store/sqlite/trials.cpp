#include "actforge/store/sqlite/trials.h"

#include <bit>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "actforge/base/error.h"
#include "actforge/store/checks.h"

namespace actforge {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kColumns =
    "number, expression, key, fingerprint, parents, origin, story, generation, seed, status, scores, reason, metrics, "
    "seconds, attempt, worker, version, finish_order, asked, finished, revision, repeat_of, hyperparameters, refused";

// A list that was stored as JSON.
template <class Value>
std::vector<Value> read_list(const SqliteQuery& row, int column, const char* what) {
  try {
    const Json list = Json::parse(row.text(column));
    std::vector<Value> values;
    if (!list.is_array()) row.fail_damaged(std::string(what) + " are not a list");
    values.reserve(list.size());
    for (const Json& value : list) {
      // The library would take true for 1, and 1.5 for 1.
      const bool fits = std::is_same_v<Value, std::string> ? value.is_string()
                        : std::is_integral_v<Value>        ? value.is_number_integer()
                                                           : value.is_number();
      if (!fits) row.fail_damaged(std::string(what) + " are of another type");
      values.push_back(value.get<Value>());
    }
    return values;
  } catch (const Json::exception&) {
    row.fail_damaged(std::string(what) + " are not a list");
  }
}

Hyperparameters read_hyperparameters(const SqliteQuery& row) {
  Hyperparameters values;
  const Json object = Json::parse(row.text(kHyperparametersColumn), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) row.fail_damaged("its hyperparameters are not an object");
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) row.fail_damaged("its hyperparameters are not texts");
    values.emplace(name, value.get<std::string>());
  }
  return values;
}

TrialPlan read_plan(const SqliteQuery& row, std::int64_t number) {
  TrialPlan plan;
  plan.expression = row.text(1);
  plan.key = row.text(2);
  if (!row.is_null(3)) plan.fingerprint = row.text(3);
  plan.parents = read_list<std::int64_t>(row, 4, "its parents");
  for (const std::int64_t parent : plan.parents) {
    if (parent < 0 || parent >= number) row.fail_damaged("a parent is not an earlier trial");
  }
  plan.origin = row.text(5);
  plan.story = read_list<std::string>(row, 6, "the words of its story");
  plan.generation = row.integer(7);
  plan.seed = std::bit_cast<std::uint64_t>(row.integer(8));
  plan.hyperparameters = read_hyperparameters(row);
  plan.refused = row.integer(kRefusedColumn);
  if (!row.is_null(kRepeatOfColumn)) plan.repeat_of = row.integer(kRepeatOfColumn);
  if (plan.repeat_of >= number) row.fail_damaged("it repeats a trial that is not an earlier one");
  return plan;
}

TrialStatus read_status(const SqliteQuery& row, int column) {
  try {
    return trial_status(row.text(column));
  } catch (const Error& error) {
    row.fail_damaged(error.what());
  }
}

}  // namespace

std::string select_trials(std::string_view rest) {
  return "SELECT " + std::string(kColumns) + " FROM trials " + std::string(rest);
}

TrialOutcome read_outcome(const SqliteQuery& row, int column) {
  TrialOutcome outcome;
  outcome.status = read_status(row, column);
  outcome.scores = read_list<double>(row, column + 1, "its scores");  // finite: the parser refuses what does not fit
  if (outcome.status == TrialStatus::kCompleted && outcome.scores.empty()) row.fail_damaged("it has no score");
  outcome.reason = row.text(column + 2);
  outcome.metrics = row.text(column + 3);
  if (!is_metrics(outcome.metrics)) row.fail_damaged("its metrics are not a JSON object");
  outcome.seconds = row.real(column + 4);
  return outcome;
}

Trial read_trial(SqliteQuery& row) {
  Trial trial;
  trial.number = row.integer(0);
  row.set_subject("trial " + std::to_string(trial.number) + ": ");
  trial.plan = read_plan(row, trial.number);
  trial.outcome = read_outcome(row, 9);
  trial.attempt = row.integer(14);
  trial.worker = row.text(15);
  trial.version = row.text(16);
  trial.finish_order = row.is_null(17) ? -1 : row.integer(17);
  if (is_over(trial.status()) != (trial.finish_order >= 0)) row.fail_damaged("its status contradicts its finish order");
  trial.asked = row.real(18);
  trial.finished = row.real(19);
  return trial;
}

std::string number_list(const std::vector<std::int64_t>& numbers) { return Json(numbers).dump(); }

// The shortest text that gives the same number again.
std::string number_list(const std::vector<double>& numbers) { return Json(numbers).dump(); }

std::string text_object(const Hyperparameters& values) {
  return Json(values).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string text_list(const std::vector<std::string>& texts) {
  return Json(texts).dump(-1, ' ', false, Json::error_handler_t::replace);  // bytes that are not UTF-8 must not fail
}

}  // namespace actforge
