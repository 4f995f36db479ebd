#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/evaluators/temporary_folder.h"

namespace actforge {

// A command of the user's with places that each trial fills: "./train.sh {expr} {seed}".
class CommandText {
 public:
  // `values`: what can stand in it beside the usual names; each request has their values. Throws Error (kUsage) for a
  // name that is nearly one of these.
  CommandText(std::string text, std::span<const std::string> values);

  const std::string& text() const { return text_; }
  // The first of its places, with its braces; empty: it has none.
  std::string first_place() const;
  // Whether the function is in it, or the variable of the environment that has it is named.
  bool tells_function() const;
  // With values, quoted for the shell; files are made in the folder.
  std::string filled(const EvaluationRequest& request, const TemporaryFolder& folder) const;

 private:
  // Between braces, such as {expr}; neither ${HOME} nor a program's own {}.
  struct Place {
    std::size_t begin = 0, end = 0;  // with the braces
    std::string name = {};
  };
  std::vector<Place> find_places(std::span<const std::string> values) const;

  std::string text_;
  std::vector<Place> places_;
};

// The same values for a command that is asked by lines of JSON, but for files.
nlohmann::json command_question(const EvaluationRequest& request);

// And for one that looks at its environment.
std::vector<std::pair<std::string, std::string>> command_environment(const EvaluationRequest& request);

}  // namespace actforge
