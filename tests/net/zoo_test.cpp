#include "actforge/net/zoo.h"

#include <gtest/gtest.h>

namespace actforge {
namespace {

struct Counts {
  std::int64_t layers = 0, weights = 0, hundreds = 0;
};

// Layers with weights, their weights, and the dissertation's number of features: the sum of ⌊weights/100⌋.
Counts count(const Network& network) {
  Counts counts;
  for (const Layer& layer : network.layers()) {
    counts.layers += layer.weight_count() > 0;
    counts.weights += layer.weight_count();
    counts.hundreds += layer.weight_count() / 100;
  }
  return counts;
}

TEST(Zoo, AllCnnCHasTheWeightsOfTheDissertation) {
  const Counts counts = count(build_network("allcnn-c"));
  EXPECT_EQ(counts.hundreds, 13'692);
  EXPECT_EQ(counts.layers, 9);
}

TEST(Zoo, ResnetHasTheWeightsOfTheDissertation) {
  const Counts counts = count(build_network("resnet-v2-56"));
  EXPECT_EQ(counts.layers, 59);
  EXPECT_EQ(counts.weights, 1'652'938);
  EXPECT_EQ(counts.hundreds, 16'500);
  EXPECT_EQ(count(build_network("resnet-v2-56-nobn")).weights, 1'652'938);
}

}  // namespace
}  // namespace actforge
