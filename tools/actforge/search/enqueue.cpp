#include "actforge/study/enqueue.h"

#include <fmt/format.h>

#include <memory>

#include "actforge/base/read_file.h"
#include "actforge/study/begin_study.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  StudyArgument study;
  std::vector<std::string> functions;
  std::string file;
};

// One function in each line; empty lines and those that begin with # are left out.
void read_lines(const std::string& path, std::vector<Expr>& functions) {
  const std::optional<std::string> text = read_file(path);
  if (!text) throw Error(ErrorCode::kBadInput, "cannot read '" + path + "'");
  std::size_t number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    std::string line = text->substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#') continue;
    try {
      functions.push_back(read_expr(line));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}, line {}: {}", path, number, error.what()));
    }
  }
}

// All are read before any is added.
std::vector<Expr> read_functions(const Options& options) {
  std::vector<Expr> functions;
  for (const std::string& text : options.functions) functions.push_back(read_expr(text));
  if (!options.file.empty()) read_lines(options.file, functions);
  if (functions.empty()) throw Error(ErrorCode::kUsage, "no function was given; name some, or a file with --from");
  return functions;
}

std::string score_of(const OpenStudy& study, const Trial& trial) {
  if (trial.outcome.scores.empty()) return "";
  const Objective objective = study_objectives(study.settings)[0];
  return ", " + objective.name + " " + score_text(objective, trial.outcome.scores[0]);
}

std::string what_became(const OpenStudy& study, const EnqueuedFunction& function) {
  const Trial trial = study.store->find(function.result.number).value_or(Trial());
  if (function.result.is_new) return function.in_space ? "next" : "next; not in the space, so it has no children";
  return fmt::format("not tried again: equals {}, {}{}", trial.plan.expression, status_text(trial.status()),
                     score_of(study, trial));
}

nlohmann::json result_json(const OpenStudy& study, const EnqueuedFunction& function) {
  nlohmann::json json = {{"expression", function.expression},
                         {"trial", function.result.number},
                         {"new", function.result.is_new},
                         {"in_space", function.in_space},
                         {"equals", nullptr}};
  const auto trial = study.store->find(function.result.number);
  if (!function.result.is_new && trial) json["equals"] = trial_json(*trial, study_objectives(study.settings));
  return json;
}

void print_results(const OpenStudy& study, const std::vector<EnqueuedFunction>& results) {
  std::vector<std::vector<std::string>> rows;
  std::size_t added = 0;
  for (const EnqueuedFunction& function : results) {
    rows.push_back({std::to_string(function.result.number), function.expression, what_became(study, function)});
    added += function.result.is_new ? 1 : 0;
  }
  print_table({"#trial", "function", ""}, rows);
  if (added > 0 && study.store->workers().empty()) {
    note("'actforge search resume {}' tries {}", study.location, added == 1 ? "it" : "them");
  }
}

int run(const Options& options) {
  const std::vector<Expr> functions = read_functions(options);
  const OpenStudy study = open_or_begin_study(options.study.location);
  const std::vector<EnqueuedFunction> results = enqueue_functions(*study.store, study.settings, functions);
  if (!options.study.json) {
    print_results(study, results);
    return 0;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const EnqueuedFunction& function : results) list.push_back(result_json(study, function));
  print_json(list);
  return 0;
}

}  // namespace

VerbAction add_search_enqueue(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->study.location, "The study, such as study.db, or its study file (.toml)")
      ->required();
  verb.add_option("FUNCTION", options->functions, "A function to try next; repeatable");
  verb.add_option("--from", options->file, "More of them, one in each line of a file")->type_name("FILE");
  verb.add_flag("--json", options->study.json, "Answer in JSON");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
