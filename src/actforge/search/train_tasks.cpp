#include "actforge/search/train_tasks.h"

#include "actforge/base/error.h"
#include "actforge/init/initialiser.h"
#include "actforge/net/find_network.h"
#include "actforge/net/zoo.h"

namespace actforge {
namespace {

TrainOptions task_options(const StudySettings& settings, const std::string& net) {
  const auto found = find_architecture(net);
  const std::string recipe = !settings.recipe.empty() ? settings.recipe
                             : found                  ? std::string(found->architecture->recipe)
                                                      : "mini";
  TrainOptions options = find_recipe(recipe).options();
  for (const TrainField& field : train_fields()) {
    const auto given = settings.train.find(std::string(field.name));
    if (given != settings.train.end()) set_field(options, field, given->second);
  }
  check_options(options);
  find_initialiser(options.init);  // for its error
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

Network TrainTask::network() const {
  const ImageShape& image = dataset->shape;
  return find_network(names.net, {.input = {image.channels, image.height, image.width}, .classes = dataset->classes()});
}

std::vector<TrainTask> train_tasks(const StudySettings& settings) {
  std::vector<TrainTask> tasks;
  for (const StudyTask& names : study_tasks(settings)) {
    tasks.push_back({names, &find_dataset(names.data), task_options(settings, names.net)});
    check_task(tasks.back());
  }
  return tasks;
}

}  // namespace actforge
