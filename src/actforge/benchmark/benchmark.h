#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "actforge/space/function_key.h"

namespace actforge {

// What one training gave. What was not measured, or has no value because the training failed, is NaN.
struct BenchmarkRun {
  bool completed = false;
  std::uint64_t seed = 0;                                      // of the training; 0 where it is not known
  double accuracy = std::numeric_limits<double>::quiet_NaN();  // on validation images
  double loss = std::numeric_limits<double>::quiet_NaN();
  double train_accuracy = std::numeric_limits<double>::quiet_NaN();
  double train_loss = std::numeric_limits<double>::quiet_NaN();
  double test_accuracy = std::numeric_limits<double>::quiet_NaN();
  double test_loss = std::numeric_limits<double>::quiet_NaN();
  double seconds = std::numeric_limits<double>::quiet_NaN();
};

struct BenchmarkFunction {
  std::string expression = {};
  std::vector<std::string> equivalents = {};  // other functions of the space with the same values
  std::vector<BenchmarkRun> runs = {};        // one for each seed
  std::vector<float> spectrum = {};           // as features (fisher_features); none that is valid: empty
  std::string reason = {};                    // why it is not valid
};

// Results of a network with every function of a space, so that searches can be tried without training.
struct Benchmark {
  std::string command = {};   // builds it
  std::string settings = {};  // of the study that built it, as TOML; empty where it comes from elsewhere
  std::string spectra = {};   // the conditions under which spectra were measured
  std::string version = {};   // of the software
  std::vector<BenchmarkFunction> functions = {};

  // Of the function that has most.
  std::size_t seeds() const;
  bool has_spectra() const;
};

enum class BenchmarkMeasure : std::uint8_t { kAccuracy, kLoss };

// The score of a single run: more is better. Nothing where it failed or was not measured.
std::optional<double> run_score(const BenchmarkRun& run, BenchmarkMeasure measure);

// What is to be expected of each function: the mean of its runs' scores, where one that failed counts as the worst
// score of the whole benchmark. A function without runs has that score too.
std::vector<double> true_scores(const Benchmark& benchmark, BenchmarkMeasure measure = BenchmarkMeasure::kAccuracy);

// Finds functions in a benchmark, also those that are written otherwise. The benchmark is not kept.
class BenchmarkIndex {
 public:
  // Throws Error (kBadInput) for an expression that is none.
  explicit BenchmarkIndex(const Benchmark& benchmark);

  std::optional<std::size_t> find(const Expr& function) const { return find(keys_(function)); }
  // The same form; else the same values.
  std::optional<std::size_t> find(const FunctionKey& key) const;

 private:
  FunctionKey key_of(const std::string& expression) const;

  FunctionKeys keys_;
  FunctionIndex index_;
};

}  // namespace actforge
