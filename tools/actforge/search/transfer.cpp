#include <filesystem>
#include <memory>

#include "actforge/search/settings/study_inputs.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

struct Options {
  StageFlags flags;
  TransferTask task;
};

int run(const Options& options) {
  const OpenStudy study = open_stage(options.flags);
  TransferTask task = options.task;
  task.net = absolute_net(task.net);
  if (!task.data.empty()) task.data = absolute_data(task.data, std::filesystem::current_path().string());
  return print_stage(study, options.flags, transfer_question(study, wanted_after(options.flags), task), task);
}

}  // namespace

std::string absolute_net(const std::string& net) {
  std::error_code ignored;
  return std::filesystem::exists(net, ignored) ? std::filesystem::absolute(net).string() : net;
}

void add_transfer_task(CLI::App& verb, TransferTask& task) {
  verb.add_option("--net", task.net, "Another network: of the zoo, or a file")->common();
  verb.add_option("--data", task.data, "Another data set, or a folder or file with your own data")->common();
  verb.add_option("--recipe", task.recipe, "How to train it [the network's own recipe]")->common();
  verb.add_flag("--test", task.test,
                "Evaluate on the test images, which the study records, instead of validation images");
}

VerbAction add_search_transfer(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  options->flags.runs = 5;
  options->flags.top = 3;
  add_stage_flags(verb, options->flags);
  add_transfer_task(verb, options->task);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
