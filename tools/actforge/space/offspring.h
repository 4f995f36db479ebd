#pragma once

#include <functional>

#include "actforge/space/offspring.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {

// What `mutate` and `cross` share.
struct OffspringOptions {
  SpaceOptions space;
  std::uint64_t count = 1;
  std::uint64_t seed = 0;
  bool explain = false;
  bool json = false;
};

void add_offspring_options(CLI::App& verb, OffspringOptions& options);

// Makes and prints the children; child i has the random stream (seed, i, purpose).
int print_offspring(const OffspringOptions& options, const Space& space, std::string_view purpose,
                    nlohmann::json parents, const std::function<Offspring(Random&)>& make);

}  // namespace actforge::tool
