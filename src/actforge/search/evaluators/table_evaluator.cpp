// Looks functions up in a table of results, such as those of a benchmark: a search then takes no time to train.
#include <charconv>
#include <cmath>
#include <optional>

#include "actforge/base/csv.h"
#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/evaluators/evaluator.h"
#include "actforge/space/function_key.h"

namespace actforge {
namespace {

struct TableOptions {
  std::string table = "";
};

constexpr OptionField<TableOptions> kFields[] = {
    {"table", "of evaluator table: a CSV file with the columns expression and accuracy", &TableOptions::table},
};

class TableEvaluator : public Evaluator {
 public:
  TableEvaluator(const std::string& path, std::vector<Objective> objectives) : objectives_(std::move(objectives)) {
    const std::optional<std::string> text = read_file(path);
    if (!text) throw Error(ErrorCode::kBadInput, "[evaluate] table: cannot read the table '" + path + "'");
    try {
      read(parse_csv(*text));
    } catch (const Error& error) {
      throw Error(error.code(), "[evaluate] table '" + path + "': " + error.what());
    }
  }

  TrialOutcome evaluate(const EvaluationRequest& request) override {
    const FunctionKey key = keys_(request.function);
    auto row = index_.find({.canonical = key.canonical});
    if (!row) row = index_.find({.fingerprint = key.fingerprint});  // written otherwise, with the same values
    if (!row) return {.status = TrialStatus::kFailed, .reason = "not in the table"};
    TrialOutcome outcome;
    for (std::size_t i = 0; i < objectives_.size(); ++i) {
      const double value = rows_[*row][i];
      if (!std::isfinite(value)) {
        return {.status = TrialStatus::kFailed, .reason = objectives_[i].measure + " is not a number in the table"};
      }
      outcome.scores.push_back(objectives_[i].measure == "accuracy" ? value : -value);
    }
    return outcome;
  }

 private:
  void read(const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty()) throw Error(ErrorCode::kBadInput, "it is empty");
    const std::size_t expression = column(rows[0], "expression");
    std::vector<std::size_t> columns;
    columns.reserve(objectives_.size());
    for (const Objective& objective : objectives_) columns.push_back(column(rows[0], objective.measure));
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto problem = [&](const std::string& why) {
        return Error(ErrorCode::kBadInput, "row " + std::to_string(i + 1) + ": " + why);
      };
      if (rows[i].size() != rows[0].size())
        throw problem("it has " + std::to_string(rows[i].size()) + " fields, the first row has " +
                      std::to_string(rows[0].size()));
      std::vector<double> values;
      values.reserve(columns.size());
      for (const std::size_t c : columns) values.push_back(read_number(rows[i][c]));
      try {
        // Of several rows for one function the first counts.
        index_.add(keys_(parse(rows[i][expression])), static_cast<std::uint32_t>(rows_.size()));
        rows_.push_back(std::move(values));
      } catch (const Error& error) {
        throw problem(rows[i][expression] + ": " + error.what());
      }
    }
  }

  static std::size_t column(const std::vector<std::string>& head, const std::string& name) {
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == name) return i;
    }
    throw Error(ErrorCode::kBadInput, "the first row names no column '" + name + "'");
  }

  // NaN where it is none: a function that could not be trained.
  static double read_number(const std::string& text) {
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return text.empty() || error != std::errc() || stop != text.data() + text.size() ? std::nan("") : value;
  }

  std::vector<Objective> objectives_;
  FunctionKeys keys_;
  FunctionIndex index_;
  std::vector<std::vector<double>> rows_;
};

std::unique_ptr<Evaluator> make(const EvaluatorSetup& setup) {
  return std::make_unique<TableEvaluator>(read_options<TableOptions>(setup.options, kFields).table, setup.objectives);
}

}  // namespace

EvaluatorRow table_evaluator() {
  return {.name = "table",
          .summary = "look up a table",
          .fields = {evaluator_field(kFields[0], {.is_needed = true, .is_identity = true, .is_file = true})},
          .make = make,
          .no_repeats =
              "a table has one result for each function; there is nothing to repeat: evaluate with 'train' or "
              "a 'command'",
          .no_normal_form = "a table has results of functions as they are written, not of their normal forms"};
}

}  // namespace actforge
