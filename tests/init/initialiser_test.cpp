#include "actforge/init/weights/initialiser.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/init/weight_plan.h"
#include "actforge/init/weights/orthogonal.h"
#include "actforge/net/zoo/zoo.h"

namespace actforge {
namespace {

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

Moments moments(const std::vector<float>& values) {
  Moments m;
  for (const float v : values) m.mean += v, m.variance += static_cast<double>(v) * v;
  for (const float v : values) m.largest = std::max(m.largest, std::abs(static_cast<double>(v)));
  m.mean /= static_cast<double>(values.size());
  m.variance = m.variance / static_cast<double>(values.size()) - m.mean * m.mean;
  return m;
}

LayerId find_id(const Network& network, std::string_view name) {
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (network.layer(id).name == name) return id;
  }
  throw std::logic_error("no such layer");
}

std::vector<float> initial_values(const char* initialiser, const Network& network, LayerId id, std::size_t weight,
                                  std::uint64_t seed) {
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser(initialiser)});
  return draw_weight(plan, network, id, weight, seed);
}

TEST(Initialiser, VariancesAreThoseOfTheirFormulas) {
  const Network network = build_network("allcnn-c");
  const LayerId layer = find_id(network, "conv_4");  // 96 to 192 channels, 3x3: 165,888 weights
  const double in = 9 * 96, out = 9 * 192;
  const struct {
    const char* name;
    double variance;
    bool uniform;
  } cases[] = {{"glorot-uniform", 2 / (in + out), true},
               {"glorot-normal", 2 / (in + out), false},
               {"he-uniform", 2 / in, true},
               {"he-normal", 2 / in, false},
               {"lecun-uniform", 1 / in, true},
               {"lecun-normal", 1 / in, false},
               {"pytorch", 1 / (3 * in), true}};
  for (const auto& test : cases) {
    const Moments m = moments(initial_values(test.name, network, layer, 0, 1));
    // Standard error of the mean: σ/407; of the variance: at most 0.35%.
    EXPECT_NEAR(m.mean, 0, 5 * std::sqrt(test.variance) / 407) << test.name;
    EXPECT_NEAR(m.variance / test.variance, 1, 0.02) << test.name;
    const double limit = std::sqrt(3 * test.variance);
    EXPECT_EQ(m.largest <= limit * 1.000001, test.uniform) << test.name;
  }
}

TEST(Initialiser, BiasesAreZeroExceptForPyTorch) {
  const Network network = build_network("allcnn-c");
  const LayerId layer = find_id(network, "conv_4");
  EXPECT_EQ(moments(initial_values("he-normal", network, layer, 1, 1)).largest, 0);
  EXPECT_NEAR(moments(initial_values("pytorch", network, layer, 1, 1)).largest, 1 / std::sqrt(9.0 * 96), 0.002);
}

void expect_orthonormal(const std::vector<float>& m, std::size_t rows, std::size_t columns) {
  const bool by_row = rows <= columns;
  const std::size_t count = by_row ? rows : columns, length = by_row ? columns : rows;
  const auto value = [&](std::size_t i, std::size_t k) {
    return static_cast<double>(by_row ? m[i * columns + k] : m[k * columns + i]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < length; ++k) product += value(i, k) * value(j, k);
      ASSERT_NEAR(product, i == j, 1e-5);
    }
  }
}

TEST(Initialiser, OrthogonalMatricesAre) {
  for (const auto& [rows, columns] : {std::pair{5, 20}, {20, 5}, {7, 7}}) {
    const Weight weight = {.name = "kernel", .shape = {rows, columns}};
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    Random random(1);
    fill_orthogonal(weight, random, values);
    expect_orthonormal(values, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  }
  NetworkBuilder net("recurrent");
  const LayerId x = net.add("input", {}, {{"shape", Shape{5, 3}}, {"channels_last", true}});
  const Network network = net.finish({net.add("lstm", {x}, {{"units", std::int64_t{6}}})});
  const std::vector<float> gates = initial_values("he-normal", network, 1, 1, 1);
  for (std::size_t gate = 0; gate < 4; ++gate) {
    expect_orthonormal({gates.begin() + static_cast<std::ptrdiff_t>(36 * gate),
                        gates.begin() + static_cast<std::ptrdiff_t>(36 * gate + 36)},
                       6, 6);
  }
}

// Without the correction of signs the diagonal of Q would be negative far too often, or never.
TEST(Initialiser, OrthogonalMatricesAreUniform) {
  int positive = 0;
  const int draws = 2000;
  for (int i = 0; i < draws; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    std::vector<float> values(9);
    fill_orthogonal({.name = "kernel", .shape = {3, 3}}, random, values);
    positive += values[0] > 0;
  }
  EXPECT_NEAR(positive, draws / 2.0, 4 * std::sqrt(draws) / 2);
}

TEST(Initialiser, WeightsDependOnTheirOwnNameAlone) {
  const Network two = build_network("mlp-2-64"), three = build_network("mlp-3-64");
  const LayerId a = find_id(two, "dense_1"), b = find_id(three, "dense_1"), c = find_id(three, "dense_2");
  EXPECT_EQ(initial_values("he-normal", two, a, 0, 4), initial_values("he-normal", three, b, 0, 4));
  EXPECT_NE(initial_values("he-normal", two, a, 0, 4), initial_values("he-normal", three, b, 0, 5));
  EXPECT_NE(initial_values("he-normal", three, c, 0, 4)[0], initial_values("he-normal", three, b, 0, 4)[0]);
}

TEST(Initialiser, UnknownNamesGetTheNearest) {
  try {
    find_initialiser("he-norml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'he-normal'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace actforge
