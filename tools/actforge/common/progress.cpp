#include "tools/actforge/common/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "tools/actforge/common/messages.h"

namespace actforge::tool {

Progress::Progress(std::string what) : what_(std::move(what)), is_terminal_(draws_progress()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void Progress::show(std::uint64_t done, std::uint64_t total, const std::string& note) {
  if (!is_terminal_ || total == 0) return;
  const Clock::time_point now = Clock::now();
  constexpr auto kDelay = std::chrono::milliseconds(500), kPause = std::chrono::milliseconds(100);
  if (now - start_ < kDelay || now - last_ < kPause) return;
  last_ = now;
  shown_ = true;
  constexpr std::uint64_t kWidth = 30;
  const std::uint64_t filled = kWidth * done / total;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = done == 0 ? 0 : elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  const std::string line = fmt::format("\r{} [{:#<{}}{:.<{}}] {:3}%{}  {:.0f} s left\033[K", what_, "", filled, "",
                                       kWidth - filled, 100 * done / total, note, left);
  std::fputs(line.c_str(), stderr);
}

}  // namespace actforge::tool
