#pragma once

#include <string>
#include <utility>
#include <vector>

namespace actforge {

// What a worker's process, and all that it starts, finds in its environment: which of the workers it is (from 0), as
// ACTFORGE_WORKER; and with a list of GPUs the one that is its own, as CUDA_VISIBLE_DEVICES: workers take them in turn.
std::vector<std::pair<std::string, std::string>> worker_environment(std::size_t place, const std::string& gpus);

}  // namespace actforge
