#include "actforge/search/evaluators/command_text.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/base/subprocess.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

using nlohmann::json;
using Request = EvaluationRequest;

constexpr const char* kHyperparameters = "ACTFORGE_WITH";

// What stands for something of every trial. Files are a trial's own, in its folder.
struct Placeholder {
  std::string name;
  std::function<std::string(const Request& request)> value = {};
  bool is_number = false;
  std::string file = {};  // of this name in the folder, with the value in it
};

// Fits C's int, and what NumPy and R take.
std::uint64_t short_seed(const Request& request) { return request.run.seed & 0x7fffffff; }

std::vector<Placeholder> all_placeholders() {
  std::vector<Placeholder> rows = {
      {"expr", [](const Request& r) { return r.expression; }},
      {"expr_infix", [](const Request& r) { return to_infix(r.function); }},
      {"expr_latex", [](const Request& r) { return to_latex(r.function); }},
      {"seed", [](const Request& r) { return std::to_string(short_seed(r)); }, true},
      {"seed64", [](const Request& r) { return std::to_string(r.run.seed); }, true},
      {"trial", [](const Request& r) { return std::to_string(r.trial); }, true},
      {"stage", [](const Request& r) { return r.stage; }},
  };
  for (const ExportTarget& target : export_targets()) {
    const std::string name(target.name);
    const auto source = [name](const Request& r) { return export_expr(r.function, name); };
    if (!target.binary) rows.push_back({"expr_" + name, source});
    // Several targets are Python.
    rows.push_back({"file_" + name, source, false, "activation_" + name + std::string(target.file_extension)});
  }
  return rows;
}

const std::vector<Placeholder>& placeholders() {
  static const std::vector<Placeholder> rows = all_placeholders();
  return rows;
}

// One that is nearly ours is a mistake; others, as in awk '{print}', are the command's own.
bool is_placeholder(const std::string& name, const std::vector<std::string>& hyperparameters) {
  std::vector<std::string_view> known(hyperparameters.begin(), hyperparameters.end());
  for (const Placeholder& row : placeholders()) known.push_back(row.name);
  if (std::ranges::find(known, name) != known.end()) return true;
  const std::string nearest = did_you_mean(name, known);
  if (nearest.empty() && !name.starts_with("expr") && !name.starts_with("file_")) return false;
  throw Error(ErrorCode::kUsage, "[evaluate] command: nothing is known of {" + name + "}" + nearest);
}

// Names of hyperparameters may have more letters.
bool is_name_character(char c, bool is_joint) {
  const auto byte = static_cast<unsigned char>(c);
  const bool is_usual = std::islower(byte) != 0 || std::isdigit(byte) != 0 || c == '_' || c == '-';
  return is_usual || (is_joint && (std::isupper(byte) != 0 || c == '.'));
}

std::string value_of(const std::string& name, const Request& request, const TemporaryFolder& folder) {
  const auto given = request.hyperparameters.find(name);
  if (given != request.hyperparameters.end()) return given->second;
  const auto row = std::ranges::find(placeholders(), name, &Placeholder::name);
  if (row == placeholders().end()) throw Error(ErrorCode::kFailed, "this trial has no value of {" + name + "}");
  std::string value = row->value(request);
  if (row->file.empty()) return value;
  const std::string path = folder.file(row->file);
  write_file(path, value);
  return path;
}

// Numbers are numbers, where the whole text is one that JSON knows.
json hyperparameter_values(const Request& request) {
  json values = json::object();
  for (const auto& [name, text] : request.hyperparameters) {
    const json number = json::parse(text, nullptr, false);
    values[name] = number.is_number() ? number : json(text);
  }
  return values;
}

}  // namespace

CommandText::CommandText(std::string text, const std::vector<std::string>& hyperparameters) : text_(std::move(text)) {
  places_ = find_places(hyperparameters);
  check(hyperparameters);
}

std::vector<CommandText::Place> CommandText::find_places(const std::vector<std::string>& hyperparameters) const {
  const bool is_joint = !hyperparameters.empty();
  std::vector<Place> found;
  for (std::size_t at = text_.find('{'); at != std::string::npos; at = text_.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < text_.size() && is_name_character(text_[end], is_joint)) ++end;
    const bool is_variable = at > 0 && text_[at - 1] == '$';
    if (end == at + 1 || end == text_.size() || text_[end] != '}' || is_variable) continue;
    Place place = {at, end + 1, text_.substr(at + 1, end - at - 1)};
    if (is_placeholder(place.name, hyperparameters)) found.push_back(std::move(place));
  }
  return found;
}

// A command that has places has one for each of them. Another may read all of them from its environment.
void CommandText::check(const std::vector<std::string>& hyperparameters) const {
  for (const std::string& name : hyperparameters) {
    if (std::ranges::find(placeholders(), name, &Placeholder::name) == placeholders().end()) continue;
    throw Error(ErrorCode::kUsage,
                "[space] with: '" + name + "' is what {" + name + "} stands for already; take another name");
  }
  if (places_.empty() || text_.find(kHyperparameters) != std::string::npos) return;
  for (const std::string& name : hyperparameters) {
    if (std::ranges::find(places_, name, &Place::name) != places_.end()) continue;
    throw Error(ErrorCode::kUsage,
                "[evaluate] command: it is not told the hyperparameter '" + name + "'; put {" + name + "} in it");
  }
}

std::string CommandText::first_place() const { return places_.empty() ? "" : "{" + places_[0].name + "}"; }

std::string CommandText::filled(const EvaluationRequest& request, const TemporaryFolder& folder) const {
  std::string text;
  std::size_t from = 0;
  for (const Place& place : places_) {
    text += text_.substr(from, place.begin - from) + shell_quoted(value_of(place.name, request, folder));
    from = place.end;
  }
  return text + text_.substr(from);
}

namespace {

// Nothing where there is no such form of the function; a command that wants it will miss it.
std::optional<std::string> value_if_any(const Placeholder& row, const EvaluationRequest& request) {
  try {
    return row.value(request);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

json command_question(const EvaluationRequest& request) {
  json question = json::object();
  for (const Placeholder& row : placeholders()) {
    if (!row.file.empty()) continue;
    const std::optional<std::string> value = value_if_any(row, request);
    if (value) question[row.name] = row.is_number ? json::parse(*value) : json(*value);
  }
  question.update(hyperparameter_values(request));
  return question;
}

std::vector<std::pair<std::string, std::string>> command_environment(const EvaluationRequest& request) {
  std::vector<std::pair<std::string, std::string>> variables = {{"ACTFORGE_EXPR", request.expression},
                                                                {"ACTFORGE_SEED", std::to_string(short_seed(request))},
                                                                {"ACTFORGE_SEED64", std::to_string(request.run.seed)},
                                                                {"ACTFORGE_TRIAL", std::to_string(request.trial)},
                                                                {"ACTFORGE_STAGE", request.stage}};
  if (!request.hyperparameters.empty()) variables.emplace_back(kHyperparameters, hyperparameter_values(request).dump());
  return variables;
}

}  // namespace actforge
