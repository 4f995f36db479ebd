// Runs a command of the user's for every function and reads its answer: search with the training code you have.
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/base/subprocess.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/evaluators/timeout.h"

namespace actforge {
namespace {

using nlohmann::json;

struct CommandOptions : TimeoutOptions {
  std::string command = "";
  std::string directory = "";
};

using O = CommandOptions;

constexpr OptionField<O> kFields[] = {
    {"command",
     "of evaluator command: prints one line of JSON; {expr}, {expr_pytorch}, {file_pytorch}, {seed} are "
     "replaced",
     &O::command},
    {"directory", "of evaluator command: where it runs; empty: where the study was begun", &O::directory},
};

// A folder for files that a command reads, gone with its object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "actforge-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorCode::kStorage,
                  "cannot make a folder for temporary files: " + std::string(std::strerror(errno)));
    }
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> placeholder_names() {
  std::vector<std::string> names = {"expr", "expr_infix", "expr_latex", "seed", "trial"};
  for (const ExportTarget& target : export_targets()) {
    if (!target.binary) names.push_back("expr_" + std::string(target.name));
    names.push_back("file_" + std::string(target.name));
  }
  return names;
}

// One that is nearly ours is a mistake; others, as in awk '{print}', are the command's own. `hyperparameters` are
// placeholders too.
bool is_placeholder(const std::string& name, const std::vector<std::string>& hyperparameters) {
  std::vector<std::string> known = placeholder_names();
  known.insert(known.end(), hyperparameters.begin(), hyperparameters.end());
  if (std::find(known.begin(), known.end(), name) != known.end()) return true;
  const std::string nearest = did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end()));
  if (nearest.empty() && !name.starts_with("expr") && !name.starts_with("file_")) return false;
  throw Error(ErrorCode::kUsage, "[evaluate] command: nothing is known of {" + name + "}" + nearest);
}

// Texts between braces that look like names: {expr}, but neither ${HOME} nor a program's own {}.
struct Placeholder {
  std::size_t begin = 0, end = 0;  // with the braces
  std::string name = {};
};

std::vector<Placeholder> placeholders(const std::string& command, const std::vector<std::string>& hyperparameters) {
  const auto is_part = [&](char c) {
    const bool is_joint = !hyperparameters.empty();  // their names have more letters
    const auto letter = static_cast<unsigned char>(c);
    return std::islower(letter) != 0 || c == '_' || (is_joint && (std::isalnum(letter) != 0 || c == '-' || c == '.'));
  };
  std::vector<Placeholder> found;
  for (std::size_t at = command.find('{'); at != std::string::npos; at = command.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < command.size() && is_part(command[end])) ++end;
    const bool is_variable = at > 0 && command[at - 1] == '$';
    if (end == at + 1 || end == command.size() || command[end] != '}' || is_variable) continue;
    Placeholder hole = {at, end + 1, command.substr(at + 1, end - at - 1)};
    if (is_placeholder(hole.name, hyperparameters)) found.push_back(std::move(hole));
  }
  return found;
}

// How programs print what is not a number, though JSON has no such words: Python's json, and C's printf.
std::size_t no_number_length(std::string_view text) {
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"}) {
    if (text.starts_with(word)) return word.size();
  }
  return 0;
}

// The line with null for them. Nothing where lists are nested deeper than in any answer: json::dump() calls itself for
// each.
std::string plain_json(std::string_view line) {
  constexpr int kDeepest = 100;
  std::string text;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      text += c;
      if (c == '\\' && i + 1 < line.size()) text += line[++i];
      continue;
    }
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (depth > kDeepest) return {};
    const std::size_t length = no_number_length(line.substr(i));
    length > 0 ? text += "null" : text += c;
    i += length > 0 ? length - 1 : 0;
  }
  return text;
}

std::optional<json> read_object(std::string_view line) {
  json value = json::parse(plain_json(line), nullptr, /*allow_exceptions=*/false);
  return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

std::string shortened(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  constexpr std::size_t kMost = 400;
  return text.size() > kMost ? "..." + text.substr(text.size() - kMost) : text;
}

class CommandEvaluator : public Evaluator {
 public:
  CommandEvaluator(const CommandOptions& options, std::vector<Objective> objectives,
                   std::vector<std::string> hyperparameters)
      : command_(options.command),
        directory_(options.directory),
        hyperparameters_(std::move(hyperparameters)),
        timeout_(options.timeout),
        objectives_(std::move(objectives)) {
    if (!directory_.empty() && !std::filesystem::is_directory(directory_)) {
      throw Error(ErrorCode::kUsage, "[evaluate] directory: there is no folder '" + directory_ + "'");
    }
    bool tells_function = false;
    for (const Placeholder& hole : placeholders(command_, hyperparameters_)) {
      tells_function |= hole.name.starts_with("expr") || hole.name.starts_with("file");
    }
    if (!tells_function && command_.find("ACTFORGE_EXPR") == std::string::npos) {
      throw Error(
          ErrorCode::kUsage,
          "[evaluate] command: it is not told the function; put {expr}, {expr_pytorch} or {file_pytorch} in it");
    }
    check_hyperparameters();
  }

  TrialOutcome evaluate(const EvaluationRequest& request) override {
    const Folder folder;
    std::optional<json> last;
    bool given_up = false;
    SubprocessOptions options = {.directory = directory_, .timeout = timeout_};
    options.environment = {{"ACTFORGE_EXPR", request.expression},
                           {"ACTFORGE_SEED", std::to_string(request.run.seed)},
                           {"ACTFORGE_TRIAL", std::to_string(request.trial)},
                           {"ACTFORGE_STAGE", request.stage}};
    if (!hyperparameters_.empty()) {
      options.environment.emplace_back("ACTFORGE_WITH", hyperparameters_json(request.hyperparameters));
    }
    options.run.stop = [&] { return given_up || request.run.stopped(); };
    options.line = [&](std::string_view line) {
      if (given_up) return;  // more lines may have come at once
      std::optional<json> object = read_object(line);
      if (!object) return;
      last = std::move(object);
      if (last->contains("epoch")) given_up = !report(*last, request);
    };
    const SubprocessEnd end = run_shell(filled(request, folder), options);
    if (end.kind == SubprocessEnd::Kind::kStopped && !given_up) throw Error(ErrorCode::kCancelled, "stopped");
    if (!given_up) check_end(end);
    if (!last) throw Error(ErrorCode::kFailed, "the command printed no line of JSON, such as {\"accuracy\": 0.93}");
    TrialOutcome outcome = read_answer(*last, request, given_up);
    if (given_up && outcome.status == TrialStatus::kCompleted) outcome.status = TrialStatus::kStopped;
    return outcome;
  }

 private:
  // A command that has placeholders has one for each of them. Another may read all of them from its environment.
  void check_hyperparameters() const {
    const std::vector<std::string> own = placeholder_names();
    for (const std::string& name : hyperparameters_) {
      if (std::ranges::find(own, name) == own.end()) continue;
      throw Error(ErrorCode::kUsage,
                  "[space] with: '" + name + "' is what {" + name + "} stands for already; take another name");
    }
    const std::vector<Placeholder> holes = placeholders(command_, hyperparameters_);
    if (holes.empty() || command_.find("ACTFORGE_WITH") != std::string::npos) return;
    for (const std::string& name : hyperparameters_) {
      if (std::ranges::find(holes, name, &Placeholder::name) != holes.end()) continue;
      throw Error(ErrorCode::kUsage,
                  "[evaluate] command: it is not told the hyperparameter '" + name + "'; put {" + name + "} in it");
    }
  }

  std::string filled(const EvaluationRequest& request, const Folder& folder) const {
    std::string text;
    std::size_t from = 0;
    for (const Placeholder& hole : placeholders(command_, hyperparameters_)) {
      text += command_.substr(from, hole.begin - from) + shell_quoted(value_of(hole.name, request, folder));
      from = hole.end;
    }
    return text + command_.substr(from);
  }

  static std::string value_of(const std::string& name, const EvaluationRequest& request, const Folder& folder) {
    if (name == "expr") return request.expression;
    if (name == "expr_infix") return to_infix(request.function);
    if (name == "expr_latex") return to_latex(request.function);
    if (name == "seed") return std::to_string(request.run.seed);
    if (name == "trial") return std::to_string(request.trial);
    if (const auto found = request.hyperparameters.find(name); found != request.hyperparameters.end()) {
      return found->second;
    }
    const std::string target = name.substr(5);
    std::string source = export_expr(request.function, target);
    if (name.starts_with("expr_")) return source;
    std::string extension;
    for (const ExportTarget& row : export_targets()) {
      if (row.name == target) extension = row.file_extension;
    }
    const std::string path = folder.file("activation_" + target + extension);  // several targets are Python
    write_file(path, source);
    return path;
  }

  void check_end(const SubprocessEnd& end) const {
    const std::string errors = end.errors.empty() ? "" : ": " + shortened(end.errors);
    switch (end.kind) {
      case SubprocessEnd::Kind::kTimeout:
        throw Error(ErrorCode::kFailed, "the command took longer than " + option_text(timeout_) + " s");
      case SubprocessEnd::Kind::kSignal:
        throw Error(ErrorCode::kFailed, "the command was ended by signal " + std::to_string(end.code) + errors);
      default:
        if (end.code != 0) {
          throw Error(ErrorCode::kFailed, "the command ended with code " + std::to_string(end.code) + errors);
        }
    }
  }

  // The value of a measure; NaN where the answer has it, but not as a number: JSON has no other way to say so.
  static std::optional<double> value(const json& answer, const std::string& measure, bool first) {
    auto found = answer.find(measure);
    if (found == answer.end() && first) found = answer.find("score");
    if (found == answer.end()) return std::nullopt;
    return found->is_number() ? found->get<double>() : std::nan("");
  }

  bool report(const json& line, const EvaluationRequest& request) const {
    const std::optional<double> score = value(line, objectives_[0].measure, true);
    constexpr double kMostEpochs = 1e9;
    const bool is_epoch = line["epoch"].is_number_integer() && line["epoch"].get<double>() >= 0 &&
                          line["epoch"].get<double>() <= kMostEpochs;
    if (!is_epoch || !score || !std::isfinite(*score)) return true;
    return request.report({.epoch = line["epoch"].get<std::int64_t>(),
                           .score = objectives_[0].measure == "loss" ? -*score : *score,
                           .metrics = line.dump(-1, ' ', false, json::error_handler_t::replace)});
  }

  // Halfway, a command need not know all measures.
  TrialOutcome read_answer(const json& answer, const EvaluationRequest& request, bool halfway) const {
    TrialOutcome outcome;
    outcome.metrics = answer.dump(-1, ' ', false, json::error_handler_t::replace);
    if (answer.value("status", json("completed")) == json("failed")) {
      outcome.status = TrialStatus::kFailed;
      const json reason = answer.value("reason", json("the command said so"));
      outcome.reason = reason.is_string() ? reason.get<std::string>() : reason.dump();
      return outcome;
    }
    for (std::size_t i = 0; i < objectives_.size(); ++i) {
      const std::string& measure = objectives_[i].measure;
      std::optional<double> number = value(answer, measure, i == 0);
      if (!number && measure == "cost") number = -cost_score(request.function);
      if (!number && halfway) break;
      if (!number) {
        throw Error(ErrorCode::kFailed,
                    "the command's answer has no \"" + measure + "\": " + shortened(outcome.metrics));
      }
      if (!std::isfinite(*number)) {
        return {.status = TrialStatus::kFailed, .reason = measure + " is not a number", .metrics = outcome.metrics};
      }
      outcome.scores.push_back(measure == "accuracy" ? *number : -*number);
    }
    return outcome;
  }

  std::string command_, directory_;
  std::vector<std::string> hyperparameters_;
  double timeout_;
  std::vector<Objective> objectives_;
};

std::unique_ptr<Evaluator> make(const EvaluatorSetup& setup) {
  CommandOptions options = read_options<CommandOptions>(setup.options, kFields);
  options.timeout = read_options<TimeoutOptions>(setup.options, kTimeoutFields).timeout;
  return std::make_unique<CommandEvaluator>(options, setup.objectives, setup.hyperparameters);
}

}  // namespace

EvaluatorRow command_evaluator() {
  return {.name = "command",
          .summary = "run a command",
          .fields = {evaluator_field(kFields[0], {.is_needed = true, .is_identity = true}),
                     evaluator_field(kFields[1], {.may_change = true, .is_folder = true}),
                     evaluator_field(kTimeoutFields[0])},
          .make = make,
          .takes_hyperparameters = true,
          .reports = true,
          .nature = [](const EvaluatorOptions&) { return EvaluatorNature{.varies = true}; }};
}

}  // namespace actforge
