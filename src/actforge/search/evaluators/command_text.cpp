#include "actforge/search/evaluators/command_text.h"

#include <algorithm>
#include <charconv>
#include <functional>

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
bool is_placeholder(const std::string& name, std::span<const std::string> values) {
  std::vector<std::string_view> known(values.begin(), values.end());
  for (const Placeholder& row : placeholders()) known.push_back(row.name);
  if (std::ranges::find(known, name) != known.end()) return true;
  const std::string nearest = did_you_mean(name, known);
  if (nearest.empty() && !name.starts_with("expr") && !name.starts_with("file_")) return false;
  throw Error(ErrorCode::kUsage, "[evaluate] command: nothing is known of {" + name + "}" + nearest);
}

bool is_name_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::islower(byte) != 0 || std::isdigit(byte) != 0 || c == '_' || c == '-';
}

std::string value_of(const std::string& name, const Request& request, const TemporaryFolder& folder) {
  if (const auto given = request.values.find(name); given != request.values.end()) return given->second;
  const auto row = std::ranges::find(placeholders(), name, &Placeholder::name);
  if (row == placeholders().end()) throw Error(ErrorCode::kFailed, "this trial has no value of {" + name + "}");
  std::string value = row->value(request);
  if (row->file.empty()) return value;
  const std::string path = folder.file(row->file);
  write_file(path, value);
  return path;
}

// A number, where the whole text is one that JSON knows.
json number_or_text(const std::string& text) {
  json value = json::parse(text, nullptr, false);
  return value.is_number() ? value : json(text);
}

}  // namespace

CommandText::CommandText(std::string text, std::span<const std::string> values) : text_(std::move(text)) {
  places_ = find_places(values);
}

std::vector<CommandText::Place> CommandText::find_places(std::span<const std::string> values) const {
  std::vector<Place> found;
  for (std::size_t at = text_.find('{'); at != std::string::npos; at = text_.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    const bool is_variable = at > 0 && text_[at - 1] == '$';
    if (end == at + 1 || end == text_.size() || text_[end] != '}' || is_variable) continue;
    Place place = {at, end + 1, text_.substr(at + 1, end - at - 1)};
    if (is_placeholder(place.name, values)) found.push_back(std::move(place));
  }
  return found;
}

std::string CommandText::first_place() const { return places_.empty() ? "" : "{" + places_[0].name + "}"; }

bool CommandText::tells_function() const {
  return text_.find("ACTFORGE_EXPR") != std::string::npos || std::ranges::any_of(places_, [](const Place& place) {
           return place.name.starts_with("expr") || place.name.starts_with("file_");
         });
}

std::string CommandText::filled(const EvaluationRequest& request, const TemporaryFolder& folder) const {
  std::string text;
  std::size_t from = 0;
  for (const Place& place : places_) {
    text += text_.substr(from, place.begin - from) + shell_quoted(value_of(place.name, request, folder));
    from = place.end;
  }
  return text + text_.substr(from);
}

json command_question(const EvaluationRequest& request) {
  json question = json::object();
  for (const Placeholder& row : placeholders()) {
    if (!row.file.empty()) continue;
    try {
      const std::string value = row.value(request);
      question[row.name] = row.is_number ? json::parse(value) : json(value);
    } catch (const Error&) {
      // There is no such form of this function; a command that wants it will miss it.
    }
  }
  for (const auto& [name, value] : request.values) question[name] = number_or_text(value);
  return question;
}

std::vector<std::pair<std::string, std::string>> command_environment(const EvaluationRequest& request) {
  return {{"ACTFORGE_EXPR", request.expression},
          {"ACTFORGE_SEED", std::to_string(short_seed(request))},
          {"ACTFORGE_SEED64", std::to_string(request.run.seed)},
          {"ACTFORGE_TRIAL", std::to_string(request.trial)},
          {"ACTFORGE_STAGE", request.stage}};
}

}  // namespace actforge
