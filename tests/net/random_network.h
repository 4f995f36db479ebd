#pragma once

#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/net/graph/network.h"

namespace actforge {

// A value that a setting might have, right or wrong.
inline AttributeValue random_value(const AttributeRow& row, Random& random) {
  const auto small = [&] { return static_cast<std::int64_t>(random.below(4)) + (random.below(20) == 0 ? -1 : 0); };
  switch (row.type) {
    case AttributeType::kFlag: return random.below(2) == 0;
    case AttributeType::kInteger: return 1 + small();
    case AttributeType::kNumber: return random.uniform();
    case AttributeType::kWord: {
      const char* const kWords[] = {"same", "valid", "1", "0:1", "channels", "-1", "0", "nearest", "linear"};
      return std::string(kWords[random.below(9)]);
    }
    case AttributeType::kExtents: {
      Shape extents;
      for (std::uint64_t i = 0; i <= random.below(3); ++i) extents.push_back(small());
      return extents;
    }
    case AttributeType::kFunction: break;
  }
  const char* const kFunctions[] = {"relu(x)", "swish(alpha(x))", "max(x,beta[0.25,layer](x))", "elish(x)"};
  return parse_attribute(row, kFunctions[random.below(4)]);
}

// Layers of random kinds and settings upon random earlier ones; what is refused is left out.
inline Network random_network(Random& random) {
  NetworkBuilder builder("random");
  std::vector<LayerId> ids = {builder.add("input", {}, {{"shape", Shape{4, 6, 6}}}),
                              builder.add("input", {}, {{"shape", Shape{6, 4}}, {"channels_last", true}}),
                              builder.add("input", {}, {{"shape", Shape{12}}, {"indices", random.below(2) == 0}})};
  std::vector<bool> used(3);
  for (int i = 0; i < 60; ++i) {
    const LayerKind& kind = *layer_kinds()[random.below(layer_kinds().size())];
    std::vector<LayerId> inputs;
    for (std::uint64_t k = kind.least_inputs + (kind.most_inputs > 2 ? random.below(2) : 0); k > 0; --k) {
      inputs.push_back(ids[random.below(ids.size())]);
    }
    Attributes attributes;
    for (const AttributeRow& row : kind.attributes) {
      if (row.default_text.empty() || random.below(3) == 0) {
        attributes.emplace_back(row.name, random_value(row, random));
      }
    }
    try {
      ids.push_back(builder.add(kind.name, inputs, attributes));
    } catch (const Error&) {
      continue;
    }
    for (const LayerId input : inputs) used[input] = true;
    used.push_back(false);
  }
  std::vector<LayerId> outputs;
  for (LayerId id = 0; id < used.size(); ++id) {
    if (!used[id]) outputs.push_back(id);
  }
  return builder.finish(outputs);
}

}  // namespace actforge
