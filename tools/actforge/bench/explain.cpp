#include <fmt/format.h>

#include <memory>

#include "actforge/contest/benchmark_facts.h"
#include "actforge/study/study_benchmark.h"
#include "tools/actforge/common/step_clock.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string path;
  FactsOptions facts;
  std::string measure = "accuracy";
  std::uint64_t seed = 0, threads = 0;
  bool json = false;
};

nlohmann::json to_json(const BenchmarkFacts& facts) {
  const Crosstab& counts = facts.invalid_and_failed;
  nlohmann::json json = {{"invalid_spectra",
                          {{"invalid_failed", counts.both},
                           {"invalid_completed", counts.first},
                           {"valid_failed", counts.second},
                           {"valid_completed", counts.neither},
                           {"p", number(facts.invalid_fails)}}},
                         {"negatives",
                          {{"pairs", facts.negatives.pairs},
                           {"difference", number(facts.negatives.difference)},
                           {"by_noise", number(facts.negatives.by_noise)},
                           {"typical_difference", number(facts.negatives.typical_difference)},
                           {"distances", nlohmann::json::array()}}},
                         {"predicted", facts.predicted},
                         {"predictions", nlohmann::json::array()}};
  for (const NegativeDistance& row : facts.negatives.distances) {
    json["negatives"]["distances"].push_back({{"features", row.features},
                                              {"pairs", row.pairs},
                                              {"median", number(row.median)},
                                              {"typical", number(row.typical)},
                                              {"nearer", number(row.nearer)}});
  }
  for (const Prediction& row : facts.predictions) {
    json["predictions"].push_back({{"features", row.features},
                                   {"regressor", row.regressor},
                                   {"correlation", number(row.correlation.mean)},
                                   {"low", number(row.correlation.low)},
                                   {"high", number(row.correlation.high)}});
  }
  return json;
}

void print_failures(const BenchmarkFacts& facts) {
  const Crosstab& counts = facts.invalid_and_failed;
  if (counts.both + counts.first == 0) return;
  fmt::print(
      "Do functions without a valid spectrum fail? {} of {} failed in every run; of those with one {} of {} "
      "(p {:.2g}, Fisher's exact test)\n",
      counts.both, counts.both + counts.first, counts.second, counts.second + counts.neither, facts.invalid_fails);
}

void print_negatives(const Negatives& negatives) {
  if (negatives.distances.empty()) return;
  fmt::print(
      "Is a function like its negative? {} pairs have scores: they differ by {:.4f} (root mean square), noise "
      "alone gives {:.4f}, any two functions {:.4f}\n",
      negatives.pairs, negatives.difference, negatives.by_noise, negatives.typical_difference);
  for (const NegativeDistance& row : negatives.distances) {
    fmt::print(
        "  by {}: {:.3g} apart (median of {} pairs; any two functions {:.3g}); {:.1f}% of all functions are "
        "nearer\n",
        row.features, row.median, row.pairs, row.typical, 100 * row.nearer);
  }
}

void print_predictions(const BenchmarkFacts& facts, const FactsOptions& options) {
  if (facts.predictions.empty()) {
    fmt::print("Too few functions have finite outputs and a valid spectrum to predict scores: {}\n", facts.predicted);
    return;
  }
  fmt::print(
      "Do features tell scores? A regressor learns single scores of {} of {} functions, on a map of two "
      "dimensions, and predicts the others:\n",
      std::min<std::size_t>(options.known, facts.predicted / 2), facts.predicted);
  std::vector<std::vector<std::string>> rows;
  for (const Prediction& row : facts.predictions) {
    rows.push_back({row.features, row.regressor, fmt::format("{:.3f}", row.correlation.mean),
                    fmt::format("{:.3f} to {:.3f}", row.correlation.low, row.correlation.high)});
  }
  print_table({"features", "regressor", "#rank correlation", "95% interval"}, std::move(rows));
}

int run(Options options) {
  if (options.measure == "loss") options.facts.measure = BenchmarkMeasure::kLoss;
  const Benchmark benchmark = open_benchmark(options.path);
  StepClock clock;
  const BenchmarkFacts facts = benchmark_facts(benchmark, options.facts, clock.context(options.seed, options.threads));
  clock.end();
  if (options.json) {
    print_json(to_json(facts));
    return 0;
  }
  print_failures(facts);
  print_negatives(facts.negatives);
  print_predictions(facts, options.facts);
  return 0;
}

}  // namespace

VerbAction add_bench_explain(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("BENCHMARK", options->path, "A benchmark's file, in either form, or the study that builds one")
      ->required();
  add_whole_number(verb, "--known", options->facts.known, "Functions that a regressor learns from")->common();
  add_whole_number(verb, "--repeats", options->facts.repeats, "How often it does so, with others")->common();
  verb.add_option("--measure", options->measure, "What is predicted")
      ->capture_default_str()
      ->check(CLI::IsMember({"accuracy", "loss"}));
  add_whole_number(verb, "--seed", options->seed, "Of maps and of the choice of functions");
  add_whole_number(verb, "--threads", options->threads, "0: one per processor");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
