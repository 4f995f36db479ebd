#include <fmt/format.h>

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
  const OpenStudy study = open_study(argument.place);
  const StudySummary summary = summarise(*study.store, study.settings);
  argument.json ? print_json(summary_json(summary)) : print_summary(summary);
  return 0;
}

int top(const TopOptions& options) {
  const OpenStudy study = open_study(options.study.place);
  const std::vector<Objective> objectives = study_objectives(study.settings);
  const std::vector<Standing> best = standings(*study.store, study.settings, options.count);
  if (options.study.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Standing& standing : best) list.push_back(standing_json(standing, objectives));
    print_json(list);
  } else if (best.empty() && options.count > 0) {
    fmt::print("no function has a score yet\n");
  } else {
    print_standings(best, objectives);
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
