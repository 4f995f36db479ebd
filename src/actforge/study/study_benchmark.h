#pragma once

#include "actforge/base/run_context.h"
#include "actforge/benchmark/benchmark.h"
#include "actforge/study/study.h"

namespace actforge {

// Makes a study one that builds a benchmark: every function of a space, three seeds, spectra; nothing is compared while
// it is built.
void set_benchmark_defaults(StudySettings& settings);

// A study as a benchmark: its functions, each with all its evaluations that are over, and spectra as far as they were
// measured. Made for studies whose strategy is `exhaustive`. Throws Error (kUsage) where the study does not train
// a single network on a single data set.
Benchmark benchmark_of_study(const OpenStudy& study, const RunContext& run = {.threads = 0});

// Adds the runs of another benchmark that was built with the same settings but for seeds. Throws Error (kUsage) where
// other settings differ.
void add_seeds(Benchmark& benchmark, const Benchmark& more);

// A benchmark from a study or a file of any form.
Benchmark open_benchmark(const std::string& path);

// The command that builds it again.
std::string build_command(const StudySettings& settings);

}  // namespace actforge
