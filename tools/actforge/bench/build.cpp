#include <fmt/format.h>

#include <memory>

#include "actforge/study/study_benchmark.h"
#include "tools/actforge/bench/show.h"
#include "tools/actforge/search/run.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string study;
  StudyFlags flags;
  bool json = false, retry = false;
};

int run(const Options& options) {
  // A study that is there has its settings.
  const auto defaults = [&](StudySettings& settings) {
    if (!store_exists(options.study)) set_benchmark_defaults(settings);
  };
  StudyPlan plan = plan_by_flags("", options.study, options.flags, defaults);
  plan.may_switch = false;  // its rounds are of one strategy
  try {
    run_search(plan, options.retry);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    throw Error(ErrorCode::kCancelled, "stopped; 'actforge bench build --study " + plan.location +
                                           "' continues, and 'bench write' writes what there is so far");
  }
  show_benchmark(benchmark_of_study(open_study(plan.location)), options.json);
  if (!options.json) fmt::print("'actforge bench write {} -o FILE.bench' makes a compact file of it\n", plan.location);
  return 0;
}

}  // namespace

VerbAction add_bench_build(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("--study", options->study, "Where the results are stored while it is built")
      ->type_name("FILE.db")
      ->required()
      ->common();
  verb.add_flag("--retry", options->retry, "Also retry what was set aside")->common();
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kAll);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
