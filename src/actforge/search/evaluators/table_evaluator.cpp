// Looks functions up in a table of results, such as those of a benchmark: a search then takes no time to train.
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>

#include "actforge/base/csv.h"
#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/base/read_file.h"
#include "actforge/base/version.h"
#include "actforge/benchmark/benchmark_file.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/evaluators/evaluator.h"
#include "actforge/space/function_key.h"

namespace actforge {
namespace {

struct TableOptions {
  std::string table = "";
};

constexpr OptionField<TableOptions> kFields[] = {
    {"table",
     "of evaluator table: a benchmark, or a CSV file with the columns expression and accuracy, or another "
     "objective",
     &TableOptions::table},
};

std::string table_path(const EvaluatorOptions& options) { return read_options<TableOptions>(options, kFields).table; }

// One run of a function: a score for each objective, NaN where it failed.
using RunScores = std::vector<double>;

// What there is of a function.
using FunctionRuns = std::vector<RunScores>;

std::string read_table(const std::string& path) {
  std::optional<std::string> text = read_file(path);
  if (!text) throw Error(ErrorCode::kBadInput, "cannot read the table '" + path + "'");
  return std::move(*text);
}

// A file that cannot be read is no benchmark; whoever reads it says so.
bool is_benchmark(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char bytes[64];
  file.read(bytes, sizeof bytes);
  return looks_like_benchmark({bytes, static_cast<std::size_t>(file.gcount())});
}

[[noreturn]] void rethrow_for_table(const std::string& path, const Error& error) {
  throw Error(error.code(), "[evaluate] table '" + path + "': " + error.what());
}

// The columns of a CSV file that objectives are.
class CsvTable {
 public:
  CsvTable(std::string_view text, const std::vector<Objective>& objectives) {
    const std::vector<std::vector<std::string>> rows = parse_csv(text);
    if (rows.empty()) throw Error(ErrorCode::kBadInput, "it is empty");
    const std::size_t expression = column(rows[0], "expression");
    std::vector<std::size_t> columns;
    columns.reserve(objectives.size());
    for (const Objective& objective : objectives) columns.push_back(column(rows[0], objective.measure));
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto problem = [&](const std::string& why) {
        return Error(ErrorCode::kBadInput, "row " + std::to_string(i + 1) + ": " + why);
      };
      if (rows[i].size() != rows[0].size())
        throw problem("it has " + std::to_string(rows[i].size()) + " fields, the first row has " +
                      std::to_string(rows[0].size()));
      RunScores scores;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double value = read_number(rows[i][columns[k]]);
        scores.push_back(objectives[k].turned(value));
      }
      try {
        // Of several rows for one function the first counts.
        index_.add(keys_(parse(rows[i][expression])), static_cast<std::uint32_t>(runs_.size()));
        runs_.push_back({std::move(scores)});
      } catch (const Error& error) {
        throw problem(rows[i][expression] + ": " + error.what());
      }
    }
  }

  const FunctionRuns* find(const Expr& function) const {
    const FunctionKey key = keys_(function);
    auto row = index_.find({.canonical = key.canonical});
    if (!row) row = index_.find({.fingerprint = key.fingerprint});  // written otherwise, with the same values
    return row ? &runs_[*row] : nullptr;
  }

 private:
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

  FunctionKeys keys_;
  FunctionIndex index_;
  std::vector<FunctionRuns> runs_;
};

BenchmarkMeasure measure_of(const Objective& objective) {
  if (objective.measure == "accuracy") return BenchmarkMeasure::kAccuracy;
  if (objective.measure == "loss") return BenchmarkMeasure::kLoss;
  throw Error(ErrorCode::kUsage, "a benchmark has accuracy and loss, no " + objective.measure);
}

class BenchmarkTable {
 public:
  BenchmarkTable(const std::string& path, const std::vector<Objective>& objectives)
      : benchmark_(shared_benchmark(path)), index_(*benchmark_) {
    for (const BenchmarkFunction& function : benchmark_->functions) {
      FunctionRuns runs;
      for (const BenchmarkRun& run : function.runs) {
        runs.emplace_back();
        for (const Objective& objective : objectives) {
          runs.back().push_back(run_score(run, measure_of(objective)).value_or(std::nan("")));
        }
      }
      runs_.push_back(std::move(runs));
    }
  }

  const FunctionRuns* find(const Expr& function) const {
    const auto found = index_.find(function);
    return found ? &runs_[*found] : nullptr;
  }

 private:
  std::shared_ptr<const Benchmark> benchmark_;
  BenchmarkIndex index_;
  std::vector<FunctionRuns> runs_;
};

// Of several runs the seed of the evaluation chooses one: the noise of a search is that of training.
template <class Table>
class TableEvaluator : public Evaluator {
 public:
  TableEvaluator(Table table, std::vector<Objective> objectives)
      : table_(std::move(table)), objectives_(std::move(objectives)) {}

  TrialOutcome evaluate(const EvaluationRequest& request) override {
    const FunctionRuns* runs = table_.find(request.function);
    if (runs == nullptr || runs->empty()) return {.status = TrialStatus::kFailed, .reason = "not in the table"};
    const RunScores& scores = (*runs)[Random(request.run.seed, 0, "table").below(runs->size())];
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (std::isfinite(scores[i])) continue;
      return {.status = TrialStatus::kFailed, .reason = objectives_[i].measure + " is not a number in the table"};
    }
    return {.scores = scores};
  }

 private:
  Table table_;
  std::vector<Objective> objectives_;
};

std::unique_ptr<Evaluator> make(const EvaluatorSetup& setup) {
  const std::string path = table_path(setup.options);
  try {
    if (is_benchmark(path)) {
      return std::make_unique<TableEvaluator<BenchmarkTable>>(BenchmarkTable(path, setup.objectives), setup.objectives);
    }
    return std::make_unique<TableEvaluator<CsvTable>>(CsvTable(read_table(path), setup.objectives), setup.objectives);
  } catch (const Error& error) {
    rethrow_for_table(path, error);
  }
}

EvaluatorNature nature(const EvaluatorOptions& options) {
  const std::string path = table_path(options);
  EvaluatorNature nature = {
      .no_repeats =
          "a table has the results of a search; there is nothing to repeat: evaluate with 'train' or a 'command'"};
  if (!is_benchmark(path)) return nature;
  try {
    const std::shared_ptr<const Benchmark> benchmark = shared_benchmark(path);
    nature.fractions = true;
    nature.varies = benchmark->seeds() > 1;
    if (benchmark->has_spectra()) nature.spectra = "table: " + benchmark->spectra;
    return nature;
  } catch (const Error& error) {
    rethrow_for_table(path, error);
  }
}

// Copies spectra of a benchmark into studies.
class BenchmarkProbe : public FeatureProbe {
 public:
  explicit BenchmarkProbe(const EvaluatorOptions& options)
      : group_(nature(options).spectra), benchmark_(shared_benchmark(table_path(options))), index_(*benchmark_) {}

  void measure(Store& store, const Expr& function) override {
    StudyFeatures features = {.group = group_,
                              .expression = to_call(function),
                              .key = canonical_key(function),
                              .valid = false,
                              .reason = "not in the table",
                              .version = software_version()};
    if (const auto found = index_.find(function)) {
      const BenchmarkFunction& row = benchmark_->functions[*found];
      features.values = row.spectrum;
      features.valid = !row.spectrum.empty();
      features.reason = features.valid ? "" : row.reason.empty() ? "none in the table" : row.reason;
    }
    store.add_features(features);
  }

 private:
  std::string group_;
  std::shared_ptr<const Benchmark> benchmark_;
  BenchmarkIndex index_;
};

}  // namespace

EvaluatorRow table_evaluator() {
  return {.name = "table",
          .summary = "look up a table",
          .fields = {evaluator_field(kFields[0], {.is_needed = true, .is_identity = true, .is_file = true})},
          .make = make,
          .any_measure = true,
          .no_normal_form = "a table has results of functions as they are written, not of their normal forms",
          .nature = nature,
          .make_probe = [](const EvaluatorOptions& options) -> std::unique_ptr<FeatureProbe> {
            return std::make_unique<BenchmarkProbe>(options);
          }};
}

}  // namespace actforge
