// AutoInit on every network of the zoo, at its own size.
#include <gtest/gtest.h>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/weight_plan.h"
#include "actforge/net/zoo/zoo.h"

namespace actforge {
namespace {

TEST(ZooAnalysis, LeavesNoLayerOut) {
  for (const Architecture& row : architectures()) {
    SCOPED_TRACE(std::string(row.example));
    const Network network = build_network(row.example);
    const WeightPlan plan = plan_weights(network, {});
    EXPECT_EQ(plan.analysis.coverage[2], 0u);
    EXPECT_TRUE(plan.analysis.warnings.empty()) << plan.analysis.warnings[0];
    for (LayerId id = 0; id < network.layers().size(); ++id) {
      const Layer& layer = network.layer(id);
      const NodeSignal& node = plan.analysis.nodes[id];
      if (layer.weight_count() == 0) continue;
      ASSERT_TRUE(node.weight_deviation.has_value()) << layer.name;
      EXPECT_GT(*node.weight_deviation, 0) << layer.name;
      const double wanted = find_moment_map(*layer.kind).gain != nullptr ? 1 : node.output.variance;
      EXPECT_NEAR(node.output.variance, wanted, 1e-6) << layer.name;
    }
  }
}

}  // namespace
}  // namespace actforge
