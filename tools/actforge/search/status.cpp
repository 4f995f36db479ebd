#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/actforge/common/table.h"
#include "tools/actforge/search/summary.h"

namespace actforge::tool {
namespace {

struct TopOptions {
  StudyArgument study;
  std::uint64_t count = 10;
};

int status(const StudyArgument& argument) {
  const OpenStudy study = open_study(argument.location);
  const StudySummary summary = summarise(*study.store, study.settings);
  argument.json ? print_json(summary_json(summary)) : print_summary(summary);
  return 0;
}

// The best trials first; then what else is shown.
nlohmann::json top_json(const std::vector<Standing>& best, const std::vector<Standing>& shown,
                        const std::vector<Objective>& objectives) {
  nlohmann::json list = nlohmann::json::array();
  for (const Standing& standing : best) list.push_back(standing_json(standing, objectives));
  for (const Standing& standing : shown) {
    const auto is_same = [&](const Standing& other) { return other.trial.number == standing.trial.number; };
    if (std::ranges::none_of(best, is_same)) list.push_back(standing_json(standing, objectives));
  }
  return list;
}

int top(const TopOptions& options) {
  const OpenStudy study = open_study(options.study.location);
  const std::vector<Objective> objectives = study_objectives(study.settings);
  const Scoreboard board = scoreboard(*study.store, study.settings);
  const std::vector<Standing> best = best_rows(board, options.count), shown = shown_standings(board, best);
  if (options.study.json) {
    print_json(top_json(best, shown, objectives));
  } else if (shown.empty()) {
    fmt::print("no function has a score yet\n");
  } else {
    const StudyVerdict verdict = study_verdict(board, objectives[0]);
    if (!verdict.text.empty()) fmt::print("{}\n\n", verdict.text);
    print_standings(shown, objectives);
  }
  return 0;
}

}  // namespace

VerbAction add_search_status(CLI::App& verb) {
  const auto options = std::make_shared<StudyArgument>();
  add_study_argument(verb, *options);
  return [options] { return status(*options); };
}

VerbAction add_search_top(CLI::App& verb) {
  const auto options = std::make_shared<TopOptions>();
  add_study_argument(verb, options->study);
  add_whole_number(verb, "--count", options->count, "How many");
  return [options] { return top(*options); };
}

}  // namespace actforge::tool
