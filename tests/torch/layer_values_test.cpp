// What layers compute, against plain loops over the definitions.
#include <gtest/gtest.h>

#include <cmath>

#include "actforge/net/graph/network_text.h"
#include "actforge/net/graph/window.h"
#include "actforge/torch/execute/model.h"

namespace actforge {
namespace {

using torch::Tensor;

struct Case {
  Network network;
  Model model;
  Tensor x;

  explicit Case(const std::string& lines)
      : network(parse_network_text("network case\n" + lines)),
        model(network, {.backend = ActivationBackend::kOperators, .channels_last = false, .type = torch::kFloat64}) {
    torch::manual_seed(3);
    std::vector<std::int64_t> shape = network.layer(0).output.shape;
    shape.insert(shape.begin(), 2);
    x = torch::randn(shape, torch::kFloat64);
    const torch::NoGradGuard no_grad;
    for (ModelWeight& weight : model.weights()) weight.tensor.copy_(torch::randn_like(weight.tensor));
  }
  Tensor y() const {
    const torch::NoGradGuard no_grad;
    return model.forward({x}, network.outputs()[0], false);
  }
  Tensor weight(std::size_t i) { return model.weights()[i].tensor.detach(); }
};

// Calls visit(index) for every index below the extents.
template <class Visit>
void for_each_index(const std::vector<std::int64_t>& extents, Visit visit) {
  std::vector<std::int64_t> index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t i = extents.size();
    while (i > 0 && ++index[i - 1] == extents[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

double at(const Tensor& t, const std::vector<std::int64_t>& index) {
  Tensor value = t;
  for (const std::int64_t i : index) value = value[i];
  return value.item<double>();
}

// The place in the input that a point of the window at an output place falls on; nothing where that is padding.
std::optional<std::vector<std::int64_t>> source(const Window& w, const std::vector<std::int64_t>& place,
                                                const std::vector<std::int64_t>& point, const Shape& spatial) {
  std::vector<std::int64_t> result;
  for (std::size_t d = 0; d < point.size(); ++d) {
    result.push_back(place[2 + d] * w.stride[d] - w.before[d] + point[d] * w.dilation[d]);
    if (result.back() < 0 || result.back() >= spatial[d]) return std::nullopt;
  }
  return result;
}

class Convolutions : public testing::TestWithParam<std::string> {};

TEST_P(Convolutions, AreSumsOverTheirWindows) {
  Case c(GetParam());
  const LayerSetting setting = c.network.setting(1);
  const Window w = read_window(setting, "kernel");
  const Shape spatial = spatial_extents(setting);
  const Tensor kernel = c.weight(0), bias = c.weight(1), y = c.y();
  const std::int64_t inner = kernel.size(1), groups = c.x.size(1) / inner, per_group = kernel.size(0) / groups;
  for_each_index(y.sizes().vec(), [&](const std::vector<std::int64_t>& place) {
    double sum = bias[place[1]].item<double>();
    for_each_index(w.size, [&](const std::vector<std::int64_t>& point) {
      const auto from = source(w, place, point, spatial);
      for (std::int64_t k = 0; from && k < inner; ++k) {
        std::vector<std::int64_t> in = {place[0], place[1] / per_group * inner + k}, weight = {place[1], k};
        in.insert(in.end(), from->begin(), from->end());
        weight.insert(weight.end(), point.begin(), point.end());
        sum += at(c.x, in) * at(kernel, weight);
      }
    });
    ASSERT_NEAR(at(y, place), sum, 1e-9);
  });
}

INSTANTIATE_TEST_SUITE_P(
    All, Convolutions,
    testing::Values(
        "x = input(shape=2x7)\ny = conv(x, filters=3, kernel=3, stride=2, padding=same)\nreturn y\n",
        "x = input(shape=2x6x5)\ny = conv(x, filters=3, kernel=3, stride=2, padding=same)\nreturn y\n",
        "x = input(shape=4x6x5)\ny = conv(x, filters=6, kernel=2x3, groups=2, padding=1:2x0:1)\nreturn y\n",
        "x = input(shape=2x7x7)\ny = conv(x, filters=2, kernel=3, dilation=2)\nreturn y\n",
        "x = input(shape=3x5x6)\ny = depthwise_conv(x, kernel=3, multiplier=2, padding=same)\nreturn y\n",
        "x = input(shape=2x3x4x3)\ny = conv(x, filters=2, kernel=2, stride=1x2x1, padding=same)\nreturn y\n"));

class Pools : public testing::TestWithParam<std::string> {};

TEST_P(Pools, IgnoreTheirPadding) {
  Case c("x = input(shape=2x6x5)\ny = " + GetParam() + "\nreturn y\n");
  const LayerSetting setting = c.network.setting(1);
  const Window w = read_window(setting, "size");
  const Shape spatial = spatial_extents(setting);
  const Tensor y = c.y();
  for_each_index(y.sizes().vec(), [&](const std::vector<std::int64_t>& place) {
    double sum = 0, largest = -1e300, count = 0;
    for_each_index(w.size, [&](const std::vector<std::int64_t>& point) {
      const auto from = source(w, place, point, spatial);
      if (!from) return;
      const double value = at(c.x, {place[0], place[1], (*from)[0], (*from)[1]});
      sum += value, ++count;
      largest = std::max(largest, value);
    });
    ASSERT_NEAR(at(y, place), setting.kind->name == "max_pool" ? largest : sum / count, 1e-12);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Pools,
                         testing::Values("max_pool(x)", "max_pool(x, size=3, stride=2, padding=same)",
                                         "max_pool(x, size=3, stride=1, padding=1)",
                                         "max_pool(x, size=2, stride=1, padding=0:1x1:0)", "average_pool(x, size=2x3)",
                                         "average_pool(x, size=3, stride=2, padding=same)",
                                         "average_pool(x, size=3, stride=2, padding=1)",
                                         "average_pool(x, size=2, stride=1, padding=0:1x1:0)"));

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One sample's states by the formulas in layers_recurrent.cpp.
std::vector<std::vector<double>> states(const std::string& kind, const Tensor& x, const std::vector<Tensor>& w) {
  const auto units = static_cast<std::size_t>(w[1].size(1));
  std::vector<double> h(units, 0), c(units, 0);
  std::vector<std::vector<double>> all;
  const auto product = [](const Tensor& matrix, std::size_t row, const auto& value) {
    double sum = 0;
    for (std::int64_t k = 0; k < matrix.size(1); ++k) {
      sum += matrix[static_cast<std::int64_t>(row)][k].item<double>() * value(k);
    }
    return sum;
  };
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const auto input = [&](std::size_t row) {
      return product(w[0], row, [&](std::int64_t k) { return x[t][k].item<double>(); }) +
             w[2][static_cast<std::int64_t>(row)].item<double>();
    };
    const auto state = [&](std::size_t row) {
      return product(w[1], row, [&](std::int64_t k) { return h[static_cast<std::size_t>(k)]; }) +
             (w.size() > 3 ? w[3][static_cast<std::int64_t>(row)].item<double>() : 0);
    };
    std::vector<double> next(units);
    for (std::size_t u = 0; u < units; ++u) {
      const auto gate = [&](std::size_t g) { return input(g * units + u) + state(g * units + u); };
      if (kind == "simple_rnn") next[u] = std::tanh(gate(0));
      if (kind == "lstm") {
        c[u] = sigmoid(gate(1)) * c[u] + sigmoid(gate(0)) * std::tanh(gate(2));
        next[u] = sigmoid(gate(3)) * std::tanh(c[u]);
      }
      if (kind == "gru") {
        const double r = sigmoid(gate(0)), z = sigmoid(gate(1));
        next[u] = (1 - z) * std::tanh(input(2 * units + u) + r * state(2 * units + u)) + z * h[u];
      }
    }
    h = next;
    all.push_back(h);
  }
  return all;
}

// For places i and j of a grid of 2x3: the number of the way from j to i, counted from the one up and to the left.
TEST(LayerValues, RelativePositionsAreWaysOnTheGrid) {
  Case c("x = input(shape=2x6x6)\ny = relative_position(x, grid=2x3)\nreturn y\n");
  const Tensor table = c.weight(0), y = c.y();
  ASSERT_EQ(table.sizes(), (std::vector<std::int64_t>{2, 15}));
  for_each_index({2, 2, 6, 6}, [&](const std::vector<std::int64_t>& i) {
    const std::int64_t down = i[2] / 3 - i[3] / 3, right = i[2] % 3 - i[3] % 3;
    EXPECT_NEAR(at(y, i), at(c.x, i) + at(table, {i[1], (down + 1) * 5 + (right + 2)}), 1e-12);
  });
}

// Corners stay corners: place p of n lies at p (m-1)/(n-1) of m.
TEST(LayerValues, ResizingIsLinearBetweenNeighbours) {
  Case c("x = input(shape=2x4x3)\ny = resize(x, size=6x5)\nreturn y\n");
  const Tensor y = c.y();
  const auto between = [&](std::int64_t n, std::int64_t ch, double row, double column) {
    const auto top = static_cast<std::int64_t>(row), left = static_cast<std::int64_t>(column);
    double sum = 0;
    for (std::int64_t i = top; i <= std::min<std::int64_t>(top + 1, 3); ++i) {
      for (std::int64_t j = left; j <= std::min<std::int64_t>(left + 1, 2); ++j) {
        const double down = 1 - std::abs(row - static_cast<double>(i));
        const double across = 1 - std::abs(column - static_cast<double>(j));
        sum += down * across * at(c.x, {n, ch, i, j});
      }
    }
    return sum;
  };
  for_each_index({2, 2, 6, 5}, [&](const std::vector<std::int64_t>& i) {
    const double wanted = between(i[0], i[1], static_cast<double>(i[2]) * 3 / 5, static_cast<double>(i[3]) * 2 / 4);
    EXPECT_NEAR(at(y, i), wanted, 1e-12);
  });
}

TEST(LayerValues, RecurrentLayersFollowTheirFormulas) {
  for (const std::string kind : {"simple_rnn", "lstm", "gru"}) {
    Case c("x = input(shape=4x3, channels_last=true)\ny = " + kind + "(x, units=3, sequence=true)\nreturn y\n");
    std::vector<Tensor> weights;
    for (std::size_t i = 0; i < c.model.weights().size(); ++i) weights.push_back(c.weight(i));
    const auto wanted = states(kind, c.x[1], weights);
    const Tensor y = c.y()[1];
    for (std::int64_t t = 0; t < 4; ++t) {
      for (std::int64_t u = 0; u < 3; ++u) {
        EXPECT_NEAR(y[t][u].item<double>(), wanted[static_cast<std::size_t>(t)][static_cast<std::size_t>(u)], 1e-12)
            << kind;
      }
    }
  }
}

TEST(LayerValues, NormalisationsGiveMeanZeroAndVarianceOne) {
  for (const std::string layer : {"group_norm(x, groups=2, epsilon=0)", "layer_norm(x, epsilon=0)"}) {
    Case c("x = input(shape=4x6x5)\ny = " + layer + "\nreturn y\n");
    const torch::NoGradGuard no_grad;
    c.model.weights()[0].tensor.fill_(1);
    c.model.weights()[1].tensor.fill_(0);
    const Tensor y = c.y();
    const Tensor groups = layer[0] == 'g' ? y.reshape({4, -1}) : y.permute({0, 2, 3, 1}).reshape({-1, 4});
    EXPECT_LT(groups.mean(1).abs().max().item<double>(), 1e-12);
    EXPECT_LT((groups.square().mean(1) - 1).abs().max().item<double>(), 1e-9);
  }
}

TEST(LayerValues, BatchNormalisationMeasuresWhileTrainingAndRemembers) {
  Case c("x = input(shape=4x6x5)\ny = batch_norm(x, momentum=0.25, epsilon=0)\nreturn y\n");
  const torch::NoGradGuard no_grad;
  for (const std::size_t i : {0, 3}) c.model.weights()[i].tensor.fill_(1);
  for (const std::size_t i : {1, 2}) c.model.weights()[i].tensor.fill_(0);
  EXPECT_TRUE(torch::allclose(c.y(), c.x));
  const Tensor y = c.model.forward({c.x}, 1, true);
  EXPECT_LT(y.mean({0, 2, 3}).abs().max().item<double>(), 1e-12);
  EXPECT_TRUE(torch::allclose(c.weight(2), 0.25 * c.x.mean({0, 2, 3})));
  EXPECT_TRUE(torch::allclose(c.weight(3), 0.75 + 0.25 * c.x.var({0, 2, 3})));
}

}  // namespace
}  // namespace actforge
