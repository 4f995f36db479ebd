#pragma once

#include <string>
#include <string_view>

#include "actforge/benchmark/benchmark.h"

namespace actforge {

// The form in which the dissertation's benchmarks are published: a JSON object with a field for each function. A result
// there is the median of three runs or a single run; here it is one run when it is read, and the median of the runs
// that did not fail when it is written. What is not known is null. Spectra are written as cumulative shares, from 0 to
// 1, layer after layer.
std::string act_bench_json(const Benchmark& benchmark);

// `origin` names it in messages. Throws Error (kBadInput).
Benchmark parse_act_bench(std::string_view json, const std::string& origin);

}  // namespace actforge
