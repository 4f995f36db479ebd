#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/search/evaluators/evaluator.h"

namespace actforge {

// What a command says of one trial: lines of its standard output, some of which are JSON objects.
class CommandAnswer {
 public:
  // `is_asked`: the command goes on after its answer, which is the first object without an epoch that names the
  // trial; else the last object is the answer. What is given to it outlives it.
  CommandAnswer(const std::vector<Objective>& objectives, const EvaluationRequest& request, bool is_asked)
      : objectives_(objectives), request_(request), is_asked_(is_asked) {}

  void hear(std::string_view line);
  bool is_given_up() const { return is_given_up_; }                   // the request's report() said so
  bool is_complete() const { return is_complete_ || is_hopeless(); }  // of a command that is asked
  bool is_empty() const { return !last_.has_value(); }
  // Scores, or why there are none. Throws Error (kFailed) where a measure is missing.
  TrialOutcome outcome() const;

 private:
  // A measure's value; as some programs print it, in quotes.
  struct Value {
    double number = 0;  // NaN where it is none
    bool was_text = false;
  };

  std::optional<nlohmann::json> find_object(std::string_view line) const;
  bool says_something(const nlohmann::json& object) const;
  bool concerns(const nlohmann::json& object);
  bool is_hopeless() const;
  std::optional<Value> value(const nlohmann::json& object, std::size_t objective) const;
  bool report(const nlohmann::json& line) const;

  const std::vector<Objective>& objectives_;
  const EvaluationRequest& request_;
  bool is_asked_, is_given_up_ = false, is_complete_ = false;
  bool wrote_python_ = false;    // a dictionary as Python prints it
  bool names_no_trial_ = false;  // an answer that came did not, though it had to
  std::optional<nlohmann::json> last_;
};

}  // namespace actforge
