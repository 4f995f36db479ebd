#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actforge/base/association.h"
#include "actforge/base/run_context.h"
#include "actforge/base/statistics.h"
#include "actforge/benchmark/benchmark.h"

namespace actforge {

// What a benchmark says about functions as such, without any search: the claims of the dissertation's chapter on
// AQuaSurF that are not about strategies.

// How far apart functions are by one kind of feature, in the metric that maps use.
struct NegativeDistance {
  std::string features = {};
  std::size_t pairs = 0;
  double median = 0;   // between a function and its negative
  double typical = 0;  // the median between two functions taken at random
  double nearer = 0;   // share of all functions that are nearer to a function than its negative: the median over pairs
};

// A function and its negative are the same to a network whose weights are drawn symmetrically about zero.
struct Negatives {
  std::vector<NegativeDistance> distances = {};
  std::size_t pairs = 0;          // of which both have a score in every run
  double difference = 0;          // of the true scores of a pair: the root of the mean square
  double by_noise = 0;            // what it would be if only the noise of single trainings were behind it
  double typical_difference = 0;  // the same for two functions taken at random
};

// How well scores are known before training: a regressor learns single scores of some functions from their places on a
// map, and is asked for the true scores of the others.
struct Prediction {
  std::string features = {}, regressor = {};
  SampleSummary correlation = {};  // Spearman's, over repeats
};

struct BenchmarkFacts {
  Crosstab invalid_and_failed = {};  // functions without a valid spectrum; that failed in every run
  double invalid_fails = 0;          // p: those without a valid spectrum fail more often (Fisher's exact test)
  Negatives negatives = {};
  std::size_t predicted = 0;  // functions with finite outputs and a valid spectrum, of which predictions are made
  std::vector<Prediction> predictions = {};
};

struct FactsOptions {
  std::uint64_t known = 100;   // functions that a regressor learns from
  std::uint64_t repeats = 20;  // with other functions and other runs of them
  BenchmarkMeasure measure = BenchmarkMeasure::kAccuracy;
};

// Steps are those of maps, and "predictions". Without spectra, only what outputs say.
// Throws Error (kUsage) without known functions, and with fewer than two repeats.
BenchmarkFacts benchmark_facts(const Benchmark& benchmark, const FactsOptions& options, const RunContext& context);

}  // namespace actforge
