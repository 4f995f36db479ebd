#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "actforge/benchmark/benchmark.h"

namespace actforge {

// A benchmark in some MB: JSON packed by gzip. Accuracies and losses are kept to six decimals, seconds to three, and
// each number of a spectrum to a 4,095th of the largest in its layer.
std::string packed_benchmark(const Benchmark& benchmark);

// `origin` names it in messages. Throws Error (kBadInput).
Benchmark unpack_benchmark(std::string_view packed, const std::string& origin);

// A file in either form: ours, or that of Act-Bench (act_bench.h). Throws Error (kBadInput).
Benchmark read_benchmark(const std::string& path);

// The same, read once as long as the file stays as it is and somebody has it.
std::shared_ptr<const Benchmark> shared_benchmark(const std::string& path);

// Whether bytes may be a benchmark, by how they begin.
bool looks_like_benchmark(std::string_view bytes);

}  // namespace actforge
