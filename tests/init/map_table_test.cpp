// The table of layer maps has a whole row for every kind of layer.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/signal_analysis.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "tests/problems/layer_problems.h"

namespace actforge {
namespace {

using Map = MomentResult(const MomentQuery&);
using NextProfile = ProfilePointer(const MomentQuery&, const MomentResult&);
using NextSpread = SizeVariance(const MomentQuery&, const MomentResult&);

template <class... Columns>
concept MakesARow = requires(Columns&... columns) {
  MomentMapRow{columns...};
};
static_assert(MakesARow<const LayerKind, Map, NextProfile, NextSpread>);
static_assert(!MakesARow<const LayerKind, Map, NextProfile>, "a row without a spread should not compile");
static_assert(!MakesARow<const LayerKind, Map>, "nor one without a profile");
static_assert(!MakesARow<const LayerKind>);

std::size_t row_count() {
  std::size_t rows = 0;
  for (const auto& family :
       {basic_maps(), linear_maps(), merge_maps(), norm_maps(), pool_maps(), recurrent_maps(), shape_maps()}) {
    rows += family.size();
  }
  return rows;
}

TEST(MapTable, EveryKindHasOneRow) {
  for (const LayerKind* kind : layer_kinds()) {
    EXPECT_NO_THROW(EXPECT_EQ(&find_moment_map(*kind).kind, kind)) << kind->name;
  }
  EXPECT_EQ(row_count(), layer_kinds().size());
}

Network read(const problems::LayerProblem& problem) {
  return parse_network_text("network " + problem.name + "\n" + problem.lines);
}

bool has_kernel(const Layer& layer) {
  if (layer.weights.empty()) return false;
  return layer.weights[0].role == WeightRole::kKernel || layer.weights[0].role == WeightRole::kEmbedding;
}

// A kernel that a new kind forgets to give a gain would be left alone without a word.
TEST(MapTable, AutoInitScalesEveryKernelButThese) {
  const std::set<const LayerKind*> left_alone = {&kLstmLayer, &kGruLayer, &kSimpleRnnLayer, &kPositionLayer,
                                                 &kRelativePositionLayer};
  for (const problems::LayerProblem& problem : problems::layer_problems()) {
    const Network network = read(problem);
    for (const Layer& layer : network.layers()) {
      const bool scaled = has_kernel(layer) && !left_alone.contains(layer.kind);
      EXPECT_EQ(find_moment_map(*layer.kind).gain != nullptr, scaled) << layer.kind->name;
    }
  }
}

}  // namespace
}  // namespace actforge
