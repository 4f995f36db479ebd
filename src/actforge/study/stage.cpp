#include "actforge/study/stage.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/recipe/train_options.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/strategies/trial_log.h"

namespace actforge {
namespace {

using nlohmann::json;

// The whole recipe in place of the search's shorter one.
StudySettings full_settings(StudySettings settings) {
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  if (const std::string why = evaluator.nature(settings.evaluate).no_repeats; !why.empty()) {
    throw Error(ErrorCode::kUsage, why);
  }
  if (!evaluator.trains) return settings;
  settings.train.erase("epochs");
  if (settings.full_epochs > 0) settings.train["epochs"] = std::to_string(settings.full_epochs);
  settings.subset = settings.full_subset;
  return settings;
}

std::string text_of(const json& conditions) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (conditions.contains("net")) {
    add(conditions.value("net", "") + " on " + conditions.value("data", ""));
    add(std::to_string(conditions.value("epochs", std::uint64_t{0})) + " epochs");
    const auto subset = conditions.value("subset", std::uint64_t{0});
    add(subset > 0 ? std::to_string(subset) + " training images" : "all training images");
    add(conditions.value("test", false) ? "test images" : "validation images");
  } else {
    add("evaluator " + conditions.value("evaluator", ""));
  }
  return text;
}

// Of the first network, should there be several.
TrainOptions first_recipe(const StudySettings& settings) {
  const std::string recipe = settings.recipe.empty() ? recipe_of(study_tasks(settings)[0].net) : settings.recipe;
  return recipe_options(recipe, settings.train);
}

std::uint64_t epochs_of(const StudySettings& settings) { return first_recipe(settings).epochs; }

void require_training(const StudySettings& settings, const std::string& what) {
  if (find_evaluator(settings.evaluator).trains) return;
  throw Error(ErrorCode::kUsage,
              what + " needs a network that is trained; this study has the evaluator '" + settings.evaluator + "'");
}

using Task = TransferTask;

constexpr StageRow kStages[] = {
    {"final", "Final test", [](const StudySettings& study, const Task&) { return final_stage(study); }},
    {"confirm", "Confirmation",
     [](const StudySettings& study, const Task& task) { return confirm_stage(study, task.net); }},
    {"transfer", "Transfer", transfer_stage},
    {"rerank", "Re-ranking", [](const StudySettings& study, const Task&) { return rerank_stage(study); }},
    {"rates", "Learning rates", [](const StudySettings& study, const Task&) { return rates_stage(study); }},
    {"baseline", "Baseline", [](const StudySettings& study, const Task&) { return baseline_stage(study); }, false}};

constexpr const char* kWith = "with";

json conditions_of(const Stage& stage) {
  const StudySettings& s = stage.settings;
  json conditions = {{"stage", stage.name}, {"evaluator", s.evaluator}, {"objective", s.objective}, {"seed", s.seed}};
  const EvaluatorRow& evaluator = find_evaluator(s.evaluator);
  if (evaluator.trains) {
    conditions.update({{"net", s.net},
                       {"data", s.data},
                       {"recipe", s.recipe},
                       {"subset", s.subset},
                       {"validation", s.validation},
                       {"train", s.train},
                       {"epochs", epochs_of(s)},
                       {"test", stage.test}});
  }
  if (!stage.hyperparameters.empty()) conditions[kWith] = stage.hyperparameters;
  for (const EvaluatorField& field : evaluator.fields) {
    if (field.traits.is_identity) conditions[std::string(field.name)] = field_text(s.evaluate, field);
  }
  return conditions;
}

// Version 1, which did not say so, wrote down every setting: each new one would have orphaned the runs made before it.
// Since version 2 what has its default is left out, since version 3 also the options of evaluators, and epochs stand
// once. Whoever changes a default of StudySettings or of an evaluator, or what a setting means, raises the version and
// keeps the old defaults for the old ones.
constexpr int kVersion = 3;

// What is written down even if it has its default: group_text() shows it.
constexpr std::string_view kAlways[] = {"stage", "evaluator", "net", "data", "epochs"};

// That of an exit code.
ErrorCode error_code(int code) {
  const bool is_known = code >= static_cast<int>(ErrorCode::kFailed) && code <= static_cast<int>(ErrorCode::kStorage);
  return is_known ? static_cast<ErrorCode>(code) : ErrorCode::kFailed;
}

// Several networks may have a number of epochs each, by their recipes: there "epochs" is only the first one's.
bool says_all_epochs(const json& conditions) {
  return conditions.contains("epochs") && split_list(conditions.value("net", "")).size() == 1;
}

void drop_repeated_epochs(json& conditions) {
  if (says_all_epochs(conditions) && conditions.contains("train")) conditions["train"].erase("epochs");
}

json current_form(json conditions) {
  drop_repeated_epochs(conditions);
  const json defaults = conditions_of({.settings = {.evaluator = conditions.at("evaluator")}});
  for (const auto& [name, value] : defaults.items()) {
    const bool stays = std::find(std::begin(kAlways), std::end(kAlways), name) != std::end(kAlways);
    if (!stays && conditions.contains(name) && conditions[name] == value) conditions.erase(name);
  }
  conditions["version"] = kVersion;
  return conditions;
}

}  // namespace

std::span<const StageRow> stages() { return kStages; }

const StageRow& find_stage(std::string_view name) { return find_named(kStages, name, "stage"); }

bool Stage::full_schedule() const { return find_stage(name).full_schedule; }

namespace {

Stage new_stage(const std::string& name, const StudySettings& settings, bool test = false) {
  return {
      .name = name, .test = test, .settings = settings, .hyperparameters = study_hyperparameters(settings).middle()};
}

}  // namespace

Stage baseline_stage(const StudySettings& settings) { return new_stage("baseline", settings); }

Stage rerank_stage(const StudySettings& settings) { return new_stage("rerank", full_settings(settings)); }

Stage final_stage(const StudySettings& settings) { return new_stage("final", full_settings(settings), true); }

Stage rates_stage(const StudySettings& settings) { return new_stage("rates", full_settings(settings)); }

Stage confirm_stage(const StudySettings& settings, const std::string& net) {
  require_training(settings, "a test at another scale");
  Stage stage = new_stage("confirm", full_settings(settings), true);
  if (net.empty()) {
    stage.settings.train["epochs"] = std::to_string(2 * epochs_of(stage.settings));
  } else {
    stage.settings.net = net;
    stage.settings.recipe = "";
  }
  return stage;
}

Stage at_hyperparameters(Stage stage, const Hyperparameters& values) {
  if (!values.empty()) stage.hyperparameters = values;
  return stage;
}

std::optional<Hyperparameters> hyperparameters_of_group(const std::string& group, const Stage& stage) {
  try {
    Hyperparameters values = json::parse(group).value(kWith, Hyperparameters());
    if (stage_group(at_hyperparameters(stage, values)) == group) return values;
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

Stage at_rate(Stage stage, std::optional<double> rate) {
  if (!rate) return stage;
  require_training(stage.settings, "another learning rate");
  stage.settings.train["learning-rate"] = option_text(*rate);
  if (const auto searched = stage.hyperparameters.find("learning-rate"); searched != stage.hyperparameters.end()) {
    searched->second = option_text(*rate);
  }
  return stage;
}

double learning_rate(const Stage& stage) { return first_recipe(stage.settings).learning_rate; }

Stage transfer_stage(const StudySettings& settings, const TransferTask& task) {
  if (!find_evaluator(settings.evaluator).trains) {
    throw Error(ErrorCode::kUsage, "transfer trains a network; this study has the evaluator '" + settings.evaluator +
                                       "': tell its command about another task instead");
  }
  if (task.net.empty() && task.data.empty()) throw Error(ErrorCode::kUsage, "transfer to what? Give --net or --data");
  Stage stage = new_stage("transfer", full_settings(settings), task.test);
  if (!task.net.empty()) {
    // What was right for the study's own network need not be for this one.
    stage.settings.net = task.net;
    stage.settings.recipe = "";
  }
  if (!task.data.empty()) stage.settings.data = task.data;
  if (!task.recipe.empty()) stage.settings.recipe = task.recipe;
  return stage;
}

std::string stage_group(const Stage& stage) { return current_form(conditions_of(stage)).dump(); }

std::optional<Stage> stage_of_group(const std::string& group, const StudySettings& settings) {
  try {
    const json conditions = json::parse(group);
    const StudySettings usual;  // what is left out has its default, not what the study trains with
    Stage stage = {.name = conditions.at("stage"), .test = conditions.value("test", false), .settings = settings};
    StudySettings& s = stage.settings;
    s.net = conditions.value("net", settings.net);
    s.data = conditions.value("data", settings.data);
    s.recipe = conditions.value("recipe", usual.recipe);
    s.subset = conditions.value("subset", usual.subset);
    s.train = conditions.value("train", usual.train);
    stage.hyperparameters = conditions.value(kWith, Hyperparameters());
    if (says_all_epochs(conditions)) s.train["epochs"] = std::to_string(conditions.value("epochs", std::uint64_t{0}));
    return stage_group(stage) == group ? std::optional(stage) : std::nullopt;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const Error&) {  // a network that does not exist any more
    return std::nullopt;
  }
}

std::string current_run_group(const std::string& group) {
  try {
    const json conditions = json::parse(group);
    const bool is_old = conditions.contains("stage") && conditions.value("version", 1) < kVersion;
    return is_old ? current_form(conditions).dump() : group;
  } catch (const json::exception&) {
    return group;
  } catch (const Error&) {  // an evaluator that does not exist
    return group;
  }
}

std::string stage_text(const Stage& stage) { return text_of(conditions_of(stage)); }

GroupText group_text(const std::string& group) {
  try {
    const json conditions = json::parse(group);
    return {conditions.at("stage").get<std::string>(), text_of(conditions)};
  } catch (const json::exception&) {
    return {"runs", group};
  }
}

std::vector<StageJob> missing_jobs(Store& store, const Stage& stage, const std::vector<std::string>& functions,
                                   std::int64_t repeats) {
  std::set<std::pair<std::string, std::int64_t>> there;
  for (const StudyRun& run : store.runs(stage_group(stage))) there.emplace(run.key, run.repeat);
  std::vector<std::string> canonical;
  canonical.reserve(functions.size());
  for (const std::string& function : functions) canonical.push_back(canonical_key(parse(function)));
  std::vector<StageJob> jobs;
  for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (there.emplace(canonical[i], repeat).second) jobs.push_back({functions[i], canonical[i], repeat});
    }
  }
  return jobs;
}

std::uint64_t stage_seed(const Stage& stage, std::int64_t repeat) {
  return Random(stage.settings.seed, static_cast<std::uint64_t>(repeat), stage.name).next();
}

TrialOutcome evaluate_job(const Stage& stage, const StageJob& job, Evaluator& evaluator, const RunContext& context) {
  return evaluator.evaluate(
      {.function = parse(job.expression),
       .expression = job.expression,
       .hyperparameters = stage.hyperparameters,
       .trial = job.number.value_or(job.repeat),
       .run = {.seed = stage_seed(stage, job.repeat), .threads = stage.settings.threads, .stop = context.stop},
       .test = stage.test,
       .details = stage.full_schedule(),
       .stage = stage.name});
}

std::string job_json(const StageJob& job) {
  return json{{"function", job.expression}, {"repeat", job.repeat}}.dump(-1, ' ', true, json::error_handler_t::replace);
}

StageJob read_job_json(const std::string& text) {
  try {
    const json value = json::parse(text);
    return {.expression = value.at("function").get<std::string>(), .repeat = value.at("repeat").get<std::int64_t>()};
  } catch (const json::exception& error) {
    throw Error(ErrorCode::kFailed, std::string("what is to be evaluated cannot be read: ") + error.what());
  }
}

std::string failure_json(const Error& error) {
  return json{{"code", static_cast<int>(error.code())}, {"error", error.what()}}.dump(-1, ' ', false,
                                                                                      json::error_handler_t::replace);
}

std::string outcome_json(const TrialOutcome& outcome) {
  return json{{"status", trial_status_name(outcome.status)},
              {"scores", outcome.scores},
              {"reason", outcome.reason},
              {"metrics", outcome.metrics},
              {"seconds", outcome.seconds}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

TrialOutcome read_outcome_json(const std::string& text) {
  try {
    const json value = json::parse(text);
    if (value.contains("error")) {
      throw Error(error_code(value.at("code").get<int>()), value.at("error").get<std::string>());
    }
    return {.status = trial_status(value.at("status").get<std::string>()),
            .scores = value.at("scores").get<std::vector<double>>(),
            .reason = value.at("reason").get<std::string>(),
            .metrics = value.at("metrics").get<std::string>(),
            .seconds = value.at("seconds").get<double>()};
  } catch (const json::exception& error) {
    throw Error(ErrorCode::kFailed, std::string("the answer of an evaluation cannot be read: ") + error.what());
  }
}

}  // namespace actforge
