#include "tools/actforge/common/messages.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>

#include "actforge/base/error.h"
#include "actforge/report/svg/text.h"

namespace actforge::tool {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct Messages {
  MessageOptions options;
  std::unique_ptr<std::FILE, Close> log;
  std::mutex mutex;
};

Messages& messages() {
  static Messages all;
  return all;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

void tell(std::string_view line, bool is_shown) {
  Messages& all = messages();
  const std::scoped_lock lock(all.mutex);
  if (is_shown) fmt::print(stderr, "{}\n", line);
  if (!all.log) return;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\n', at), line.size());
    std::fputs(fmt::format("{} {}\n", utc_now(), line.substr(at, end - at)).c_str(), all.log.get());
    at = end + 1;
  }
  std::fflush(all.log.get());  // so that what a killed program said is there
}

}  // namespace

void set_messages(const MessageOptions& options) {
  if (options.quiet && options.verbose) throw Error(ErrorCode::kUsage, "--quiet or --verbose, not both");
  Messages& all = messages();
  all.options = options;
  if (options.log.empty()) return;
  all.log.reset(std::fopen(options.log.c_str(), "a"));
  if (!all.log) {
    throw Error(ErrorCode::kStorage, "cannot write the log '" + options.log + "': " + std::strerror(errno));
  }
}

void note_line(std::string_view line) { tell(line, !messages().options.quiet); }
void warning_line(std::string_view line) { tell(line, true); }
void detail_line(std::string_view line) { tell(line, messages().options.verbose); }
void log_line(std::string_view line) { tell(line, false); }

std::string message_text(std::string_view what) {
  constexpr std::size_t kHead = 700, kTail = 250;
  std::string text;
  for (std::size_t at = 0; at <= what.size();) {
    const std::size_t end = std::min(what.find('\n', at), what.size());
    std::u32string line = readable(what.substr(at, end - at));
    if (line.size() > kHead + kTail) line = line.substr(0, kHead) + U" ... " + line.substr(line.size() - kTail);
    text += (at == 0 ? "" : "\n") + to_utf8(line);
    at = end + 1;
  }
  return text;
}

bool draws_progress() { return isatty(STDERR_FILENO) != 0 && !messages().options.quiet; }

bool has_colour() {
  const char *no_colour = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace actforge::tool
