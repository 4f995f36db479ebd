#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/evaluators/temporary_folder.h"

namespace actforge {

// A command of the user's with places that each trial fills: "./train.sh {expr} {seed}".
class CommandText {
 public:
  // `hyperparameters`: what can stand in it beside the usual names. Throws Error (kUsage) for a name that is nearly one
  // of these, and where the command has places, but none for one of the hyperparameters.
  CommandText(std::string text, const std::vector<std::string>& hyperparameters);

  const std::string& text() const { return text_; }
  // The first of its places, with its braces; empty: it has none.
  std::string first_place() const;
  // With values, quoted for the shell; files are made in the folder.
  std::string filled(const EvaluationRequest& request, const TemporaryFolder& folder) const;

 private:
  // Between braces, such as {expr}; neither ${HOME} nor a program's own {}.
  struct Place {
    std::size_t begin = 0, end = 0;  // with the braces
    std::string name = {};
  };
  std::vector<Place> find_places(const std::vector<std::string>& hyperparameters) const;
  void check(const std::vector<std::string>& hyperparameters) const;

  std::string text_;
  std::vector<Place> places_;
};

// The same values for a command that is asked by lines of JSON, but for files.
nlohmann::json command_question(const EvaluationRequest& request);

// And for one that looks at its environment.
std::vector<std::pair<std::string, std::string>> command_environment(const EvaluationRequest& request);

}  // namespace actforge
