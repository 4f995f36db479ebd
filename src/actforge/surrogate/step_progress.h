#pragma once

#include <cstddef>
#include <functional>

namespace actforge {

// How much of a long step is done: called now and then by the caller's thread. To stop the step, it throws.
using StepProgress = std::function<void(std::size_t done, std::size_t total)>;

}  // namespace actforge
