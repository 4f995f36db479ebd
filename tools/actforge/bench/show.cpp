#include "tools/actforge/bench/show.h"

#include <fmt/format.h>

#include <memory>

#include "actforge/base/duration.h"
#include "actforge/benchmark/benchmark_summary.h"
#include "actforge/study/study_benchmark.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

nlohmann::json noise_json(const NoiseShare& noise) {
  return {{"functions", noise.functions},
          {"between", number(noise.between)},
          {"within", number(noise.within)},
          {"share", number(noise.share())}};
}

nlohmann::json summary_json(const BenchmarkSummary& summary, const Benchmark& benchmark) {
  nlohmann::json json = {{"command", benchmark.command},
                         {"functions", summary.functions},
                         {"seeds", summary.seeds},
                         {"runs", summary.runs},
                         {"failed_runs", summary.failed_runs},
                         {"always_failed", summary.always_failed},
                         {"sometimes_failed", summary.sometimes_failed},
                         {"spectra", summary.spectra},
                         {"failed_without_spectrum", summary.failed_without_spectrum},
                         {"seconds", number(summary.seconds)},
                         {"noise", {{"all", noise_json(summary.all)}, {"best_half", noise_json(summary.best_half)}}},
                         {"best", nlohmann::json::array()}};
  for (const BenchmarkSummary::Row& row : summary.best) {
    json["best"].push_back({{"expression", row.expression}, {"score", number(row.score)}, {"failed", row.failed}});
  }
  return json;
}

void print_noise(const char* of, const NoiseShare& noise) {
  if (noise.functions < 2 || noise.within == 0) return;
  fmt::print(
      "{}: functions differ by {:.4f} (standard deviation), runs of one function by {:.4f}: {:.0f}% of the "
      "variance of a score is the function\n",
      of, noise.between, noise.within, 100 * noise.share());
}

void print_summary(const BenchmarkSummary& summary, const Benchmark& benchmark) {
  fmt::print("{} functions, {} seeds, {} runs, {} of them failed\n", summary.functions, summary.seeds, summary.runs,
             summary.failed_runs);
  if (!benchmark.command.empty()) fmt::print("built with: {}\n", benchmark.command);
  fmt::print("{} functions failed in every run, {} in some\n", summary.always_failed, summary.sometimes_failed);
  if (summary.spectra > 0) {
    fmt::print("{} have a valid spectrum; of the {} without, {} failed in every run\n", summary.spectra,
               summary.functions - summary.spectra, summary.failed_without_spectrum);
  }
  print_noise("all functions that never failed", summary.all);
  print_noise("the better half of them", summary.best_half);
  std::vector<std::vector<std::string>> rows;
  for (const BenchmarkSummary::Row& row : summary.best) {
    rows.push_back({row.expression, fmt::format("{:.4f}", row.score), std::to_string(row.failed)});
  }
  print_table({"best functions", "#true score", "#failed runs"}, std::move(rows));
}

struct Options {
  std::string path;
  bool json = false;
};

}  // namespace

void show_benchmark(const Benchmark& benchmark, bool json) {
  const BenchmarkSummary summary = summarise_benchmark(benchmark);
  json ? print_json(summary_json(summary, benchmark)) : print_summary(summary, benchmark);
}

VerbAction add_bench_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("BENCHMARK", options->path, "A file in either form, or a study that builds one")->required();
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] {
    show_benchmark(open_benchmark(options->path), options->json);
    return 0;
  };
}

}  // namespace actforge::tool
