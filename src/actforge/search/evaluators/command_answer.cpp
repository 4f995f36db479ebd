#include "actforge/search/evaluators/command_answer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

using nlohmann::json;

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

std::string one_line(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 400;
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

double read_number(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ') + 1;
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, number);
  return begin >= end || error != std::errc() || stop != text.data() + end ? std::nan("") : number;
}

}  // namespace

// The whole line; or, behind what a logger writes before it, an object that is about this trial.
std::optional<json> CommandAnswer::find_object(std::string_view line) const {
  constexpr int kMostTries = 8;  // a line may be long and full of braces
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos) return std::nullopt;
  if (auto object = read_object(line)) return object;
  for (int tries = 0; tries < kMostTries; ++tries) {
    at = line.find('{', at + (tries > 0 ? 1 : 0));
    if (at == std::string_view::npos) return std::nullopt;
    auto object = read_object(line.substr(at));
    if (object && says_something(*object)) return object;
  }
  return std::nullopt;
}

bool CommandAnswer::says_something(const json& object) const {
  const bool is_known =
      std::ranges::any_of(objectives_, [&](const Objective& o) { return object.contains(o.measure); });
  return is_known || object.contains("score") || object.contains("status") || object.contains("epoch");
}

// A command that goes on may answer twice, or too late, or print objects about other things: what belongs to this trial
// names it. Of one that ends, an object without any measure does not take the place of a result.
bool CommandAnswer::concerns(const json& object) {
  if (!is_asked_) return says_something(object) || !last_ || !says_something(*last_);
  const auto trial = object.find("trial");
  if (trial == object.end()) names_no_trial_ |= says_something(object);
  return trial != object.end() && *trial == json(request_.trial);
}

void CommandAnswer::hear(std::string_view line) {
  if (is_given_up_ || is_complete_) return;  // more lines may have come at once
  std::optional<json> object = find_object(line);
  wrote_python_ |= !object && line.starts_with("{'");
  if (!object) return;
  if (!concerns(*object)) return;
  last_ = std::move(object);
  const bool is_epoch = last_->contains("epoch");
  if (is_epoch) is_given_up_ = !report(*last_);
  is_complete_ = is_asked_ && !is_epoch;
}

// NaN where the answer has it, but not as a number: JSON has no other way to say so.
std::optional<CommandAnswer::Value> CommandAnswer::value(const json& object, std::size_t objective) const {
  auto found = object.find(objectives_[objective].measure);
  if (found == object.end() && objective == 0) found = object.find("score");
  if (found == object.end()) return std::nullopt;
  if (found->is_number()) return Value{found->get<double>()};
  if (!found->is_string()) return Value{std::nan("")};
  return Value{read_number(found->get<std::string>()), true};
}

bool CommandAnswer::report(const json& line) const {
  const std::optional<Value> measured = value(line, 0);
  constexpr double kMostEpochs = 1e9;
  const bool is_epoch = line["epoch"].is_number_integer() && line["epoch"].get<double>() >= 0 &&
                        line["epoch"].get<double>() <= kMostEpochs;
  if (!is_epoch || !measured || !std::isfinite(measured->number)) return true;
  return request_.report({.epoch = line["epoch"].get<std::int64_t>(),
                          .score = objectives_[0].turned(measured->number),
                          .metrics = one_line(line)});
}

// An answer that names no trial may be the next one's: nobody could tell.
bool CommandAnswer::is_hopeless() const { return names_no_trial_ && !last_; }

TrialOutcome CommandAnswer::outcome() const {
  if (is_hopeless()) {
    throw Error(ErrorCode::kFailed,
                "the command's answer does not name its trial; print {\"trial\": " + std::to_string(request_.trial) +
                    ", \"" + objectives_[0].measure + "\": 0.93}, with the trial of the question");
  }
  if (!last_) {
    throw Error(ErrorCode::kFailed,
                std::string("the command printed no line of JSON, such as {\"") + objectives_[0].measure + "\": 0.93}" +
                    (wrote_python_ ? "; what Python prints of a dictionary is none: print(json.dumps(result))" : ""));
  }
  const json& answer = *last_;
  TrialOutcome outcome = {.metrics = one_line(answer)};
  if (answer.value("status", json("completed")) == json("failed")) {
    outcome.status = TrialStatus::kFailed;
    const json reason = answer.value("reason", json("the command said so"));
    outcome.reason = reason.is_string() ? reason.get<std::string>() : one_line(reason);
    return outcome;
  }
  for (std::size_t i = 0; i < objectives_.size(); ++i) {
    const std::string& measure = objectives_[i].measure;
    std::optional<Value> measured = value(answer, i);
    if (!measured && measure == "cost") measured = Value{-cost_score(request_.function)};
    if (!measured && is_given_up_) break;  // halfway, a command need not know all measures
    if (!measured) {
      throw Error(ErrorCode::kFailed, "the command's answer has no \"" + measure + "\": " + shortened(outcome.metrics));
    }
    if (!std::isfinite(measured->number)) {
      const auto found = answer.find(measure);
      const std::string what = found == answer.end() ? "" : ": " + shortened(one_line(*found));
      return {
          .status = TrialStatus::kFailed, .reason = measure + " is not a number" + what, .metrics = outcome.metrics};
    }
    if (measured->was_text) outcome.reason = measure + " came as a text in quotes, and counts as the number in it";
    outcome.scores.push_back(objectives_[i].turned(measured->number));
  }
  if (is_given_up_) outcome.status = TrialStatus::kStopped;
  return outcome;
}

}  // namespace actforge
