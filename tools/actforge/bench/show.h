#pragma once

#include "actforge/benchmark/benchmark.h"

namespace actforge::tool {

void show_benchmark(const Benchmark& benchmark, bool json);

}  // namespace actforge::tool
