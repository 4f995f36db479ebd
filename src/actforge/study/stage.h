#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/run_context.h"
#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// What is evaluated apart from the search, and under which conditions: the baseline while it runs, then re-ranking,
// final tests, transfer to another task.
struct Stage {
  std::string name = {};        // of a row of stages()
  bool test = false;            // scores are of the test images
  StudySettings settings = {};  // of the evaluations
  // In a study that searches them: the middle of each, unless a function has its own (at_hyperparameters()).
  Hyperparameters hyperparameters = {};
  bool full_schedule() const;
};

// The functions of a study on another network or data set; empty: the study's own.
struct TransferTask {
  std::string net = {}, data = {}, recipe = {};
  bool test = false;
};

struct StageRow {
  std::string_view name;
  std::string_view title;  // of a table
  // Stages that have no task of their own take no notice of it.
  Stage (*make)(const StudySettings& settings, const TransferTask& task) = nullptr;
  bool full_schedule = true;  // trains as the recipe says, not as briefly as the search
};
// What counts most first.
std::span<const StageRow> stages();
// Throws Error (kUsage) with the nearest name.
const StageRow& find_stage(std::string_view name);

// As the search evaluates; and with the full schedule.
Stage baseline_stage(const StudySettings& settings);
Stage rerank_stage(const StudySettings& settings);
Stage final_stage(const StudySettings& settings);
// Which learning rate suits a function, by validation images.
Stage rates_stage(const StudySettings& settings);
// The final test at another scale: twice the epochs; or, with a network, on that one.
Stage confirm_stage(const StudySettings& settings, const std::string& net = {});
// Any of these with other hyperparameters; none: its own.
Stage at_hyperparameters(Stage stage, const Hyperparameters& values);
// The hyperparameters of the runs of a group, where these are all that it differs from the stage in.
std::optional<Hyperparameters> hyperparameters_of_group(const std::string& group, const Stage& stage);
// Any of these with another learning rate; nothing: its own.
Stage at_rate(Stage stage, std::optional<double> rate);
// The learning rate that it has. Of several networks that of the first.
double learning_rate(const Stage& stage);
// Throws Error (kUsage) where there is no other task.
Stage transfer_stage(const StudySettings& settings, const TransferTask& task);

// All that makes two results comparable, as JSON: the group of the runs in the store.
std::string stage_group(const Stage& stage);
// The stage of a study with these settings that has this group; nothing where there is none.
std::optional<Stage> stage_of_group(const std::string& group, const StudySettings& settings);
// The same conditions as today's version writes them, for groups of older ones; any other text stays as it is.
std::string current_run_group(const std::string& group);
// "allcnn-mini on fashion-mnist, 3 epochs, 5000 images, test images"
std::string stage_text(const Stage& stage);
// The same of a group that a store has; what cannot be read is given as it is.
struct GroupText {
  std::string stage, text;
};
GroupText group_text(const std::string& group);

// One evaluation that is to be made.
struct StageJob {
  std::string expression = {};
  std::string key = {};
  std::int64_t repeat = 0;
  // What the evaluator is told as the trial's number; nothing: the repeat. One that is asked again and again tells late
  // answers by it.
  std::optional<std::int64_t> number = {};
};
// Of these functions `repeats` runs each; those that the store has are left out. All first runs come first, so that
// what is interrupted can be compared.
std::vector<StageJob> missing_jobs(Store& store, const Stage& stage, const std::vector<std::string>& functions,
                                   std::int64_t repeats);

// Repeat r of every function has the same seed: the same split of the images, the same order.
std::uint64_t stage_seed(const Stage& stage, std::int64_t repeat);

// Evaluates one job in this process. Throws Error (kCancelled) where the context says stop; seed and threads are the
// stage's.
TrialOutcome evaluate_job(const Stage& stage, const StageJob& job, Evaluator& evaluator, const RunContext& context);

// A job on its way to the process that evaluates it; its key stays behind.
std::string job_json(const StageJob& job);
// Throws Error (kFailed) for anything else.
StageJob read_job_json(const std::string& text);

// An outcome on its way from the process that has it to the one that keeps it.
std::string outcome_json(const TrialOutcome& outcome);
// In its place: why there is none.
std::string failure_json(const Error& error);
// Throws Error: that of a failure, or kFailed for anything else.
TrialOutcome read_outcome_json(const std::string& text);

}  // namespace actforge
