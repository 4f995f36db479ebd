#include "tools/actforge/search/display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "actforge/base/duration.h"
#include "actforge/report/svg/text.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/search/options.h"
#include "tools/actforge/search/summary.h"

namespace actforge::tool {
namespace {

int terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

SearchDisplay::SearchDisplay(Store& store, const StudySettings& settings)
    : store_(store), settings_(settings), objectives_(study_objectives(settings)), is_terminal_(draws_progress()) {
  store_.changes(seen_);  // what was there before is not news
  update_best();
  if (wants_spectra(settings)) spectra_group_ = spectrum_group(settings);
}

SearchDisplay::~SearchDisplay() { erase(); }

// Repeats may bring down what was best before.
void SearchDisplay::update_best() {
  const auto begin = std::chrono::steady_clock::now();
  if ((ended_ == counted_ended_ && best_) || begin < next_best_) return;
  counted_ended_ = ended_;
  std::vector<Standing> best = standings(store_, settings_, 1);
  if (!best.empty()) best_ = std::move(best[0]);
  const auto end = std::chrono::steady_clock::now();
  next_best_ = end + 50 * (end - begin);  // in a large study that takes a while
}

void SearchDisplay::update(const std::vector<std::string>& workers) {
  for (const Trial& trial : store_.changes(seen_)) {
    std::erase_if(running_, [&](const Trial& other) { return other.number == trial.number; });
    if (trial.status() == TrialStatus::kRunning) running_.push_back(trial);
    if (!is_over(trial.status())) continue;
    ++ended_;
    tell(trial);
  }
  count_spectra();
  const auto time = std::chrono::steady_clock::now();
  if (!is_terminal_ || time - last_ < std::chrono::milliseconds(200)) return;
  last_ = time;
  update_best();
  std::vector<std::string> lines;
  lines.reserve(workers.size() + 1);
  for (std::size_t i = 0; i < workers.size(); ++i) lines.push_back(worker_line(i, workers[i]));
  lines.push_back(summary_line());
  draw(lines);
}

void SearchDisplay::tell(const Trial& trial) {
  const std::string scores =
      trial.outcome.scores.empty() ? "" : " " + score_text(objectives_[0], trial.outcome.scores[0]);
  const std::string reason = trial.outcome.reason.empty() ? "" : " (" + reason_line(trial.outcome.reason) + ")";
  const std::string repeat = trial.plan.is_repeat() ? fmt::format(" (repeats trial {})", trial.plan.repeat_of) : "";
  const std::string values =
      trial.plan.hyperparameters.empty() ? "" : " with " + hyperparameters_text(trial.plan.hyperparameters);
  const std::string line = fmt::format("trial {}{} {}{} {}{}{}", trial.number, repeat, status_text(trial.status()),
                                       scores, trial.plan.expression, values, to_utf8(readable(reason)));
  is_terminal_ ? log_line(line) : note_line(line);
}

// Hundreds of them may come before the first trial that is chosen by them.
void SearchDisplay::count_spectra() {
  constexpr std::size_t kLine = 100;  // so many are worth a line
  const auto time = std::chrono::steady_clock::now();
  if (spectra_group_.empty() || time - counted_ < std::chrono::seconds(1)) return;
  counted_ = time;
  spectra_ = store_.feature_keys(spectra_group_).size();
  if (is_terminal_ || spectra_ / kLine == spectra_told_ / kLine) return;
  spectra_told_ = spectra_;
  note("{} spectra measured", spectra_);
}

std::string SearchDisplay::worker_line(std::size_t number, const std::string& worker) {
  const auto found =
      std::find_if(running_.begin(), running_.end(), [&](const Trial& trial) { return trial.worker == worker; });
  if (found == running_.end()) {
    return fmt::format("worker {}  {}", number + 1, spectra_group_.empty() ? "waiting" : "measuring spectra");
  }
  const std::vector<CurvePoint> curve = store_.curve(found->number);
  const std::string learned =
      curve.empty() ? ""
                    : fmt::format("  epoch {}: {}", curve.back().epoch, score_text(objectives_[0], curve.back().score));
  // A trial that was taken up again has been there for longer; its time of asking is what there is.
  return fmt::format("worker {}  trial {}  {}{}  {}", number + 1, found->number,
                     duration_text(std::max(0.0, now() - found->asked)), learned, found->plan.expression);
}

std::string SearchDisplay::summary_line() {
  const TrialCounts counts = store_.counts();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double per_hour = static_cast<double>(ended_) / std::max(seconds, 1e-3) * 3600;
  double left = -1;
  if (per_hour > 0 && settings_.trials < kMostTrials)
    left = static_cast<double>(static_cast<std::int64_t>(settings_.trials) - counts.over()) / per_hour * 3600;
  if (!settings_.time.empty()) {
    const double by_time = read_duration(settings_.time) - store_.seconds();
    left = left < 0 ? by_time : std::min(left, by_time);
  }
  return fmt::format(
      "{} trials  {:.0f}/hour{}{}  best {}", progress_text(counts.over(), settings_.trials), per_hour,
      left < 0 ? "" : "  " + duration_text(std::max(0.0, left)) + " left",
      spectra_group_.empty() ? "" : fmt::format("  {} spectra", spectra_),
      best_ ? score_text(objectives_[0], best_->trial.outcome.scores[0]) + "  " + best_->trial.plan.expression
            : "none yet");
}

void SearchDisplay::draw(const std::vector<std::string>& lines) {
  erase();
  const int width = terminal_width() - 1;
  for (const std::string& line : lines) fmt::print(stderr, "{}\n", cut_to_columns(line, width, "..."));
  drawn_ = lines.size();
  std::fflush(stderr);
}

void SearchDisplay::erase() {
  for (; drawn_ > 0; --drawn_) std::fputs("\033[A\033[2K", stderr);
}

}  // namespace actforge::tool
