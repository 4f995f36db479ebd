// How fast initial weights are drawn, beside what else would fill the same memory, and how long AutoInit takes to
// analyse a network, beside what its author reports. Every answer is checked before it is timed.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "actforge/init/random_fill.h"
#include "actforge/init/signal_analysis.h"
#include "actforge/init/weight_plan.h"
#include "actforge/net/zoo.h"

namespace {

using namespace actforge;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "init_bench: %s\n", what.c_str());
  std::exit(1);
}

constexpr double kDeviation = 0.05;

// Mean zero and the standard deviation that was asked for, within five standard errors of a normal sample, which are
// the largest.
void check_sample(const std::string& name, const std::vector<float>& values) {
  double sum = 0, squares = 0;
  for (const float value : values) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n / kDeviation, variance = squares / n / kDeviation / kDeviation;
  if (!(std::fabs(mean) < 5 / std::sqrt(n))) fail(name + " has mean " + std::to_string(mean));
  if (!(std::fabs(variance - 1) < 5 * std::sqrt(2 / n))) fail(name + " has variance " + std::to_string(variance));
}

void count_bytes(benchmark::State& state, std::size_t numbers) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(numbers * sizeof(float)));
}

void draw(benchmark::State& state, const WeightDistribution& row, const Weight& weight) {
  std::vector<float> values(static_cast<std::size_t>(element_count(weight.shape)));
  Random random(1);
  row.fill(weight, kDeviation, random, values);
  check_sample(std::string(row.name), values);
  for (auto _ : state) {
    row.fill(weight, kDeviation, random, values);
    benchmark::ClobberMemory();
  }
  count_bytes(state, values.size());
}

void draw_on_one_thread(benchmark::State& state, RandomShape shape, const Weight& weight) {
  std::vector<float> values(static_cast<std::size_t>(element_count(weight.shape))), threaded(values.size());
  RandomFill how = {.shape = shape, .key = 1, .scale = static_cast<float>(kDeviation)};
  fill_random(how, threaded);
  how.threads = 1;
  fill_random(how, values);
  if (values != threaded) fail("threads change the numbers");
  for (auto _ : state) {
    ++how.key;
    fill_random(how, values);
    benchmark::ClobberMemory();
  }
  count_bytes(state, values.size());
}

void standard_library(benchmark::State& state, std::size_t numbers) {
  std::vector<float> values(numbers);
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, static_cast<float>(kDeviation));
  const auto fill = [&] {
    for (float& value : values) value = normal(generator);
  };
  fill();
  check_sample("std::normal_distribution", values);
  for (auto _ : state) {
    fill();
    benchmark::ClobberMemory();
  }
  count_bytes(state, numbers);
}

void set_memory(benchmark::State& state, std::size_t numbers) {
  std::vector<float> values(numbers);
  for (auto _ : state) {
    std::memset(values.data(), 1, numbers * sizeof(float));
    benchmark::ClobberMemory();
  }
  count_bytes(state, numbers);
}

void register_drawing() {
  static const Weight kernel = {.name = "kernel", .shape = {4096, 4096}};  // 16 million
  // A decomposition of that one would take minutes.
  static const Weight square = {.name = "kernel", .shape = {512, 512}};
  const auto numbers = static_cast<std::size_t>(element_count(kernel.shape));
  for (const WeightDistribution& row : weight_distributions()) {
    const Weight& weight = row.name == "orthogonal" ? square : kernel;
    const std::string name = "draw/" + std::string(row.name) + (&weight == &square ? "/512x512" : "");
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) { draw(state, row, weight); })
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  struct Named {
    const char* name;
    RandomShape shape;
  };
  for (const Named& named :
       {Named{"draw/truncated-normal/1 thread", RandomShape::kTruncatedNormal},
        Named{"draw/normal/1 thread", RandomShape::kNormal}, Named{"draw/uniform/1 thread", RandomShape::kUniform}}) {
    benchmark::RegisterBenchmark(named.name, [shape = named.shape](benchmark::State& state) {
      draw_on_one_thread(state, shape, kernel);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("memset", [=](benchmark::State& state) {
    set_memory(state, numbers);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("std::normal_distribution", [=](benchmark::State& state) {
    standard_library(state, numbers);
  })->Unit(benchmark::kMillisecond);
}

// What the analysis of a network may take, and how long the original takes "to initialize" it, analysis and weights
// together (the dissertation, on AutoInit's overhead).
struct AnalysisCase {
  const char* network;
  double limit_ms;
  double original_s;  // 0: not reported
};

constexpr AnalysisCase kAnalyses[] = {
    {"allcnn-c", 5, 1},
    {"resnet-v2-56", 50, 33},
    {"resnet-v2-56-nobn", 50, 0},
    {"resnet-v2-164", 150, 106},
    {"resnet-v2-164-nobn", 150, 0},
    {"resnet-v2-1001", 1000, 0},
    {"resnet-v2-1001-nobn", 1000, 0},
};

// AutoInit's promise: every layer with a kernel has output of mean zero and variance one.
void check_analysis(const std::string& name, const SignalAnalysis& analysis) {
  std::size_t kernels = 0;
  for (const NodeSignal& node : analysis.nodes) {
    if (!node.weight_deviation) continue;
    ++kernels;
    const double mean = node.output.mean, variance = node.output.variance;
    if (!(std::fabs(mean) < 1e-6 && std::fabs(variance - 1) < 1e-6)) {
      fail(name + ": a layer's output has variance " + std::to_string(variance));
    }
  }
  if (kernels == 0) fail(name + " has no kernels");
}

void analyse(benchmark::State& state, const AnalysisCase& test) {
  const Network network = build_network(test.network);
  check_analysis(test.network, analyse_signals(network));
  for (auto _ : state) benchmark::DoNotOptimize(analyse_signals(network));
  state.counters["layers"] = static_cast<double>(network.layers().size());
  state.counters["limit_ms"] = test.limit_ms;
  if (test.original_s > 0) state.counters["original_ms"] = 1000 * test.original_s;
}

// Analysis and weights together.
void initialise(benchmark::State& state, const AnalysisCase& test) {
  const Network network = build_network(test.network);
  const auto all_weights = [&] {
    const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit")});
    std::vector<std::vector<float>> weights;
    for (LayerId id = 0; id < network.layers().size(); ++id) {
      for (std::size_t i = 0; i < network.layer(id).weights.size(); ++i) {
        weights.push_back(draw_weight(plan, network, id, i, 1));
      }
    }
    return weights;
  };
  if (all_weights() != all_weights()) fail("the same seed gives other weights");
  for (auto _ : state) benchmark::DoNotOptimize(all_weights());
  if (test.original_s > 0) state.counters["original_ms"] = 1000 * test.original_s;
}

void register_analysis() {
  for (const AnalysisCase& test : kAnalyses) {
    const std::string name = "analyse/" + std::string(test.network);
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
      analyse(state, test);
    })->Unit(benchmark::kMillisecond);
  }
  for (const AnalysisCase& test : kAnalyses) {
    const std::string name = "initialise/" + std::string(test.network);
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) { initialise(state, test); })
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  register_drawing();
  register_analysis();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
