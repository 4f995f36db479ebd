#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/study/benchmark_check.h"
#include "tools/actforge/common/step_clock.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string path;
  std::uint64_t rows = 20, seed = 0;
  double tolerance = 0;
  bool json = false;
};

std::string result_text(const BenchmarkRun& run) {
  return run.completed ? fmt::format("{:.4f}", run.accuracy) : std::string("failed");
}

void print(const BenchmarkCheck& check) {
  std::vector<std::vector<std::string>> rows;
  for (const CheckedRow& row : check.rows) {
    rows.push_back({row.expression, std::to_string(row.round + 1), result_text(row.before), result_text(row.now),
                    row.agrees ? "yes" : "NO"});
  }
  print_table({"function", "#seed", "#in the benchmark", "#trained again", "agrees"}, std::move(rows));
  fmt::print("{} of {} rows agree\n", check.agreeing(), check.rows.size());
}

nlohmann::json to_json(const BenchmarkCheck& check) {
  nlohmann::json rows = nlohmann::json::array();
  for (const CheckedRow& row : check.rows) {
    rows.push_back({{"expression", row.expression},
                    {"seed", row.round},
                    {"before", number(row.before.accuracy)},
                    {"now", number(row.now.accuracy)},
                    {"agrees", row.agrees}});
  }
  return {{"rows", std::move(rows)}, {"agreeing", check.agreeing()}};
}

int run(const Options& options) {
  const Benchmark benchmark = open_benchmark(options.path);
  const std::unique_ptr<Evaluator> evaluator = study_evaluator(benchmark_settings(benchmark));
  StepClock clock;
  const BenchmarkCheck check = check_benchmark(
      benchmark, *evaluator, {.rows = options.rows, .tolerance = options.tolerance}, clock.context(options.seed, 1));
  clock.end();
  options.json ? print_json(to_json(check)) : print(check);
  return check.agreeing() == check.rows.size() ? 0 : static_cast<int>(ErrorCode::kFailed);
}

}  // namespace

VerbAction add_bench_check(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("BENCHMARK", options->path, "A compact file, or a study that builds one")->required();
  add_whole_number(verb, "--rows", options->rows, "How many rows are trained again, chosen at random");
  add_whole_number(verb, "--seed", options->seed, "Which");
  verb.add_option("--tolerance", options->tolerance,
                  "Largest difference in accuracy; 0: exactly the same, as on the machine that built it")
      ->type_name("SHARE");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return VerbAction([options] { return run(*options); }, [] { return true; });
}

}  // namespace actforge::tool
