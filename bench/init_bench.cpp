// How fast initial weights are drawn, beside what else would fill the same memory, and how long AutoInit takes to
// analyse a network, beside what its author reports. Every answer is checked before it is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "actforge/base/parallel.h"
#include "actforge/init/signal_analysis.h"
#include "actforge/init/weight_plan.h"
#include "actforge/init/weights/random_fill.h"
#include "actforge/net/zoo/zoo.h"

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

// The best of many times: whatever else runs on the machine only adds to it.
class BestTime {
 public:
  template <class Work>
  double of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    benchmark::ClobberMemory();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best_ = std::min(best_, seconds);
    return seconds;
  }
  double seconds() const { return best_; }

 private:
  double best_ = std::numeric_limits<double>::infinity();
};

void set_memory(std::span<float> values, std::size_t threads) {
  parallel_for(threads, values.size(), [&](std::size_t begin, std::size_t end, std::size_t /*thread*/) {
    std::memset(values.data() + begin, 1, (end - begin) * sizeof(float));
  });
}

// How far from memset on as many threads, which has a turn after every draw: so both meet the same machine.
void beside_memset(benchmark::State& state, std::size_t numbers, const std::function<void()>& draw,
                   const std::function<void()>& set) {
  BestTime drawing, setting;
  for (auto _ : state) {
    state.SetIterationTime(drawing.of(draw));
    setting.of(set);
  }
  const auto per_number = [&](double seconds) { return 1e9 * seconds / static_cast<double>(numbers); };
  state.counters["best_ns"] = per_number(drawing.seconds());
  state.counters["memset_ns"] = per_number(setting.seconds());
  state.counters["times_memset"] = drawing.seconds() / setting.seconds();
}

constexpr std::size_t kNumbers = std::size_t{1} << 24;  // 64 MiB, more than caches hold

void draw(benchmark::State& state, RandomFill how) {
  std::vector<float> values(kNumbers), one_thread(kNumbers);
  const auto next = [&] {
    ++how.key;
    fill_random(how, values);
  };
  next();
  RandomFill alone = how;
  alone.threads = 1;
  fill_random(alone, one_thread);
  if (values != one_thread) fail("threads change the numbers");
  beside_memset(state, kNumbers, next, [&] { set_memory(values, how.threads); });
}

// As a network's weights are drawn the first time: the system has to find and clear every page of the memory.
void draw_into_new_memory(benchmark::State& state, RandomFill how) {
  const auto with_new_memory = [](const std::function<void(std::span<float>)>& work) {
    const std::unique_ptr<float[]> memory(new float[kNumbers]);  // NOLINT: not set to zero, unlike a vector's
    work({memory.get(), kNumbers});
  };
  beside_memset(
      state, kNumbers, [&] { with_new_memory([&](std::span<float> values) { fill_random(how, values); }); },
      [&] { with_new_memory([&](std::span<float> values) { set_memory(values, how.threads); }); });
}

void draw_distribution(benchmark::State& state, const WeightDistribution& row, const Weight& weight) {
  std::vector<float> values(static_cast<std::size_t>(element_count(weight.shape)));
  Random random(1);
  row.fill(weight, kDeviation, random, values);
  check_sample(std::string(row.name), values);
  for (auto _ : state) {
    row.fill(weight, kDeviation, random, values);
    benchmark::ClobberMemory();
  }
}

void standard_library(benchmark::State& state) {
  std::vector<float> values(kNumbers);
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, static_cast<float>(kDeviation));
  const auto fill = [&] {
    for (float& value : values) value = normal(generator);
  };
  fill();
  check_sample("std::normal_distribution", values);
  beside_memset(state, kNumbers, fill, [&] { set_memory(values, 1); });
}

void register_drawing() {
  // A decomposition of a large matrix would take minutes.
  static const Weight square = {.name = "kernel", .shape = {512, 512}},
                      large = {.name = "kernel", .shape = {4096, 4096}};
  for (const WeightDistribution& row : weight_distributions()) {
    const Weight& weight = row.name == "orthogonal" ? square : large;
    const std::string name = "draw/" + std::string(row.name) + (&weight == &square ? "/512x512" : "/4096x4096");
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) { draw_distribution(state, row, weight); })
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  const auto add = [](const std::string& name, const std::function<void(benchmark::State&)>& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
  };
  const std::pair<const char*, RandomShape> shapes[] = {{"uniform", RandomShape::kUniform},
                                                        {"truncated-normal", RandomShape::kTruncatedNormal},
                                                        {"normal", RandomShape::kNormal}};
  const std::size_t all = thread_count(0);
  for (const std::size_t threads : {all, std::size_t{1}}) {
    const std::string on = threads == 1 ? "/1 thread" : "/" + std::to_string(threads) + " threads";
    for (const auto& [name, shape] : shapes) {
      const RandomFill how = {.shape = shape, .key = 1, .scale = static_cast<float>(kDeviation), .threads = threads};
      add("16M/" + std::string(name) + on, [how](benchmark::State& state) { draw(state, how); });
      add("16M/" + std::string(name) + on + "/new memory",
          [how](benchmark::State& state) { draw_into_new_memory(state, how); });
    }
    if (all == 1) break;
  }
  add("16M/std::normal_distribution/1 thread", standard_library);
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
