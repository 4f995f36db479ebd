#include "actforge/search/settings/train_tasks.h"

#include "actforge/base/error.h"
#include "actforge/recipe/training_data.h"

namespace actforge {
namespace {

TrainOptions task_options(const StudySettings& settings, const std::string& net) {
  const TrainOptions options =
      recipe_options(settings.recipe.empty() ? recipe_of(net) : settings.recipe, settings.train);
  check_options(options);
  return options;
}

void check_task(const TrainTask& task) {
  const Dataset& dataset = *task.dataset;
  if (!where_is(dataset)) {
    throw Error(ErrorCode::kBadInput,
                "[train] the files of the data set '" + task.names.data + "' are missing" +
                    (dataset.get_with.empty() ? "" : "; get them with: " + std::string(dataset.get_with)));
  }
  if (task.network().activation_count() == 0) {
    throw Error(ErrorCode::kBadInput, "[train] the network '" + task.names.net + "' has no activation functions");
  }
}

}  // namespace

Network TrainTask::network() const { return network_for(names.net, *dataset); }

std::vector<TrainTask> train_tasks(const StudySettings& settings) {
  std::vector<TrainTask> tasks;
  for (const StudyTask& names : study_tasks(settings)) {
    tasks.push_back({names, &find_dataset(names.data), task_options(settings, names.net)});
    check_task(tasks.back());
  }
  return tasks;
}

}  // namespace actforge
