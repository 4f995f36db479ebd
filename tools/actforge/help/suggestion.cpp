#include "tools/actforge/help/suggestion.h"

#include <fmt/format.h>

#include <algorithm>

#include "actforge/base/suggest.h"

namespace actforge::tool {
namespace {

// What other programs call an option, and what it is called here; the first row counts whose option the command has.
struct Synonym {
  std::string_view written, meant;
};
constexpr Synonym kSynonyms[] = {
    {"lr", "learning-rate"},
    {"rate", "learning-rate"},
    {"gpu", "gpus"},
    {"gpu", "device"},
    {"gpus", "device"},
    {"cuda", "device"},
    {"cpu", "device"},
    {"wd", "weight-decay"},
    {"l2", "weight-decay"},
    {"bs", "batch"},
    {"batch-size", "batch"},
    {"optim", "optimizer"},
    {"opt", "optimizer"},
    {"scheduler", "schedule"},
    {"lr-schedule", "schedule"},
    {"model", "net"},
    {"network", "net"},
    {"arch", "net"},
    {"dataset", "data"},
    {"data-dir", "data"},
    {"val", "validation"},
    {"val-size", "validation"},
    {"act", "activation"},
    {"function", "activation"},
    {"initializer", "init"},
    {"n-trials", "trials"},
    {"num-trials", "trials"},
    {"budget", "trials"},
    {"max-trials", "trials"},
    {"timeout", "time"},
    {"timeout", "time-limit"},
    {"max-time", "time"},
    {"jobs", "workers"},
    {"n-jobs", "workers"},
    {"parallel", "workers"},
    {"num-workers", "workers"},
    {"sampler", "strategy"},
    {"algorithm", "strategy"},
    {"metric", "objective"},
    {"cmd", "evaluate"},
    {"script", "evaluate"},
    {"run", "evaluate"},
    {"db", "study"},
    {"storage", "study"},
    {"random-state", "seed"},
    {"random-seed", "seed"},
    {"target", "to"},
    {"format", "to"},
    {"framework", "to"},
    {"out", "output"},
    {"n", "count"},
    {"number", "count"},
    {"num", "count"},
    {"limit", "count"},
};

// "Learning_Rate=0.1" of "--Learning_Rate=0.1" becomes "learning-rate".
std::string plain_name(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  std::string name(word.substr(0, word.find('=')));
  for (char& c : name) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

std::vector<std::string_view> long_names(const CommandEntry& command) {
  std::vector<std::string_view> names;
  for (const OptionEntry& option : command.options) {
    if (!option.is_argument() && option.long_name().starts_with("--")) {
      names.push_back(std::string_view(option.long_name()).substr(2));
    }
  }
  return names;
}

bool has(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string meant_option(const std::vector<std::string_view>& names, const std::string& name) {
  if (has(names, name)) return name;  // but for capitals, underscores or dashes
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.written == name && has(names, synonym.meant)) return std::string(synonym.meant);
  }
  const auto begins = [&](std::string_view known) { return name.size() > 2 && known.starts_with(name); };
  if (std::ranges::count_if(names, begins) == 1) return std::string(*std::ranges::find_if(names, begins));
  return nearest_name(name, names);
}

// Paths, without the program's name, of all commands for which `fits`.
template <class Fits>
void collect_paths(const CommandEntry& command, Fits fits, std::vector<std::string>& paths) {
  for (const CommandEntry& sub : command.commands) {
    if (sub.is_hidden) continue;
    if (fits(sub)) paths.push_back("'" + sub.path.substr(sub.path.find(' ') + 1) + "'");
    collect_paths(sub, fits, paths);
  }
}

std::string alternatives(const std::vector<std::string>& paths) {
  constexpr std::size_t kMost = 3;
  return fmt::format(
      "{}",
      fmt::join(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, paths.size())), " or "));
}

}  // namespace

std::string unknown_option(const CommandEntry& program, const CommandEntry& command, const std::string& word) {
  const std::string name = plain_name(word), shown = word.substr(0, word.find('='));
  const std::vector<std::string_view> names = long_names(command);
  std::string text = fmt::format("unknown option '{}' of '{}'", shown, command.path);
  if (const std::string meant = meant_option(names, name); !meant.empty()) {
    return text + "; did you mean '--" + meant + "'?";
  }
  std::vector<std::string> paths;
  collect_paths(
      program, [&](const CommandEntry& other) { return has(long_names(other), name); }, paths);
  return paths.empty() ? text : text + "; it is an option of " + alternatives(paths);
}

std::string unknown_command(const CommandEntry& program, std::vector<std::string> words) {
  const std::vector<std::string> given = words;
  const CommandEntry& level = find_command(program, words);
  if (words.empty() || level.commands.empty()) return {};
  std::vector<std::string_view> names;
  for (const CommandEntry& sub : level.commands) {
    if (!sub.is_hidden) names.push_back(sub.name);
  }
  const std::string& word = words.front();
  const std::string before =
      fmt::format("{}", fmt::join(given.begin(), given.end() - static_cast<std::ptrdiff_t>(words.size()), " "));
  const std::string text = fmt::format("unknown command '{}{}'", before.empty() ? "" : before + " ", word);
  std::vector<std::string> elsewhere;
  collect_paths(
      program, [&](const CommandEntry& other) { return other.name == word; }, elsewhere);
  if (!elsewhere.empty()) return text + "; did you mean " + alternatives(elsewhere) + "?";
  return text + nearest_and_list(word, names);
}

}  // namespace actforge::tool
