#include "actforge/study/strategy_switch.h"

#include <sstream>

#include "actforge/base/error.h"
#include "actforge/study/worker.h"

namespace actforge {
namespace {

constexpr const char* kEvent = "strategy";

struct Switch {
  std::int64_t trial = 0;
  std::string from, to;
};

// "from trial 12: aquasurf after pangaea". A file's content cannot be trusted: what is no such text says nothing.
std::string switch_text(const Switch& change) {
  return "from trial " + std::to_string(change.trial) + ": " + change.to + " after " + change.from;
}

bool read_switch(const std::string& text, Switch& change) {
  std::istringstream words(text);
  std::string from, trial, colon, after;
  words >> from >> trial >> change.trial >> colon >> change.to >> after >> change.from;
  return !words.fail() && from == "from" && trial == "trial" && colon == ":" && after == "after" && change.trial >= 0;
}

}  // namespace

std::vector<StrategySpan> strategy_spans(Store& store, const StudySettings& settings) {
  std::vector<StrategySpan> spans;
  for (const StudyEvent& event : store.events()) {
    Switch change;
    if (event.kind != kEvent || !read_switch(event.text, change)) continue;
    if (spans.empty()) spans.push_back({.strategy = change.from});
    spans.push_back({.strategy = change.to, .first = change.trial});
  }
  // Of a switch that was noted, but whose settings were not kept, because the process was killed in between.
  while (!spans.empty() && spans.back().strategy != settings.strategy) spans.pop_back();
  if (spans.empty()) spans.push_back({.strategy = settings.strategy});
  return spans;
}

std::int64_t strategy_begin(Store& store, const StudySettings& settings) {
  return strategy_spans(store, settings).back().first;
}

void note_switch(Store& store, const StudySettings& from, const StudySettings& to) {
  release_dead_workers(store);
  if (const std::vector<std::string> workers = store.workers(); !workers.empty()) {
    throw Error(ErrorCode::kUsage, "the study is being run (by worker " + workers[0] +
                                       "); stop that with Ctrl-C before it goes on with another strategy");
  }
  const TrialCounts counts = store.counts();
  if (static_cast<std::uint64_t>(counts.trials) >= to.trials) {
    throw Error(ErrorCode::kUsage, "the study has had all of its " + std::to_string(to.trials) +
                                       " trials, so none is left for the strategy '" + to.strategy + "'; --trials " +
                                       std::to_string(2 * counts.trials) + ", for example, gives it some");
  }
  store.add_event(kEvent, switch_text({.trial = counts.trials, .from = from.strategy, .to = to.strategy}));
}

}  // namespace actforge
