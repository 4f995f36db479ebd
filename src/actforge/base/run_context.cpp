#include "actforge/base/run_context.h"

#include "actforge/base/error.h"

namespace actforge {

void RunContext::check() const {
  if (stopped()) throw Error(ErrorCode::kCancelled, "stopped");
}

void RunContext::show(std::string_view step, std::size_t done, std::size_t total) const {
  check();
  if (progress) progress(step, done, total);
}

}  // namespace actforge
