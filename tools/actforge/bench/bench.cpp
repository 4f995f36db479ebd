#include "tools/actforge/common/verb.h"

namespace actforge::tool {

void add_bench(CLI::App& app, VerbAction& chosen) {
  static constexpr Verb kVerbs[] = {
      {"build", "Train a network with every function of a space; Ctrl-C stops it cleanly", add_bench_build},
      {"show", "What a benchmark holds, and whether functions differ by more than seeds", add_bench_show},
      {"check", "Train some of its rows again, and compare", add_bench_check},
      {"write", "Write a benchmark as a compact file, or in the form of Act-Bench", add_bench_write},
      {"read", "Read a benchmark in the form of Act-Bench, and write a compact file", add_bench_read},
      {"compare", "Compare strategies by searches on a benchmark", add_bench_compare},
      {"explain", "What a benchmark says of functions: spectra, negatives, and how well features tell scores",
       add_bench_explain},
  };
  add_group(
      app, chosen,
      {.name = "bench",
       .summary = "Benchmarks: results of every function of a space, and strategies compared on them",
       .footer = "Examples:\n"
                 "  actforge bench build --study cnn.db --space aquasurf-3 --net allcnn-mini --data fashion-mnist "
                 "--subset 1000 --epochs 3 --workers 2\n"
                 "  actforge bench write cnn.db -o cnn.bench\n"
                 "  actforge bench show cnn.bench\n"
                 "  actforge bench compare cnn.bench --strategies random,pangaea,aquasurf:features=both -o page.html",
       .verbs = kVerbs});
}

}  // namespace actforge::tool
