#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/benchmark/act_bench.h"
#include "actforge/benchmark/benchmark_file.h"
#include "actforge/study/study_benchmark.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::vector<std::string> from;
  std::string to;
};

bool is_json(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

int write(const Options& options) {
  check_writable(options.to);
  Benchmark benchmark = open_benchmark(options.from[0]);
  for (std::size_t i = 1; i < options.from.size(); ++i) add_seeds(benchmark, open_benchmark(options.from[i]));
  const std::string bytes = is_json(options.to) ? act_bench_json(benchmark) : packed_benchmark(benchmark);
  write_file(options.to, bytes);
  fmt::print("{}: {} functions, {} seeds, {} bytes\n", options.to, benchmark.functions.size(), benchmark.seeds(),
             bytes.size());
  return 0;
}

void add_files(CLI::App& verb, Options& options, const char* from, const char* to) {
  verb.add_option("BENCHMARK", options.from, from)->required();
  verb.add_option("-o,--output", options.to, to)->type_name("FILE")->required();
}

}  // namespace

VerbAction add_bench_write(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_files(verb, *options, "Studies or files; several are one benchmark with the seeds of all",
            "Where to: .json in the form of Act-Bench, any other name as a compact file");
  return [options] { return write(*options); };
}

VerbAction add_bench_read(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_files(verb, *options, "A benchmark in the form of Act-Bench (.json)", "The compact file");
  return [options] {
    if (is_json(options->to))
      throw Error(ErrorCode::kUsage, "'bench read' writes a compact file; .json is for 'bench write'");
    return write(*options);
  };
}

}  // namespace actforge::tool
