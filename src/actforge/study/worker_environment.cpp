#include "actforge/study/worker_environment.h"

#include "actforge/base/split_list.h"

namespace actforge {

std::vector<std::pair<std::string, std::string>> worker_environment(std::size_t place, const std::string& gpus) {
  std::vector<std::pair<std::string, std::string>> environment = {{"ACTFORGE_WORKER", std::to_string(place)}};
  const std::vector<std::string> list = split_list(gpus);
  if (!list.empty()) environment.emplace_back("CUDA_VISIBLE_DEVICES", list[place % list.size()]);
  return environment;
}

}  // namespace actforge
