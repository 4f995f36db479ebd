// Signals whose places are correlated and whose sizes vary, against networks drawn again and again in plain loops.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "actforge/base/random.h"
#include "actforge/init/signal_analysis.h"
#include "actforge/net/graph/network_text.h"

namespace actforge {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kDraws = 20'000;
constexpr double kTolerance = 0.08;
#else
constexpr int kDraws = 400'000;
constexpr double kTolerance = 0.015;
#endif

NodeSignal predict(const std::string& shape, const std::string& layers, const SignalMoments& x) {
  const Network network = parse_network_text("network test\nx = input(shape=" + shape + ")\n" + layers + "return y\n");
  for (LayerId id = 0;; ++id) {
    if (network.layer(id).name == "y") return analyse_signals(network, {.input = x}).nodes[id];
  }
}

// Mean, variance and correlation of a pair of numbers.
class Pairs {
 public:
  void add(double a, double b) { ++count_, sum_ += a + b, squares_ += a * a + b * b, products_ += a * b; }
  SignalMoments moments() const {
    const double mean = sum_ / (2 * count_);
    return SignalMoments::of(mean, squares_ / (2 * count_) - mean * mean, products_ / count_ - mean * mean);
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0, products_ = 0;
};

void expect_close(const SignalMoments& predicted, const SignalMoments& simulated, const std::string& what) {
  const double size = std::sqrt(simulated.square());
  EXPECT_NEAR(predicted.mean, simulated.mean, kTolerance * size) << what;
  EXPECT_NEAR(predicted.variance, simulated.variance, kTolerance * simulated.variance) << what;
  EXPECT_NEAR(predicted.correlation, simulated.correlation, kTolerance) << what;
}

// Eight places of one channel, 2x4, correlated as SignalMoments says.
struct Image {
  double places[2][4];
};

class Correlated : public testing::TestWithParam<SignalMoments> {
 protected:
  SignalMoments x = GetParam();
  Random random{11};

  Image image() {
    Image image{};
    const double common = std::sqrt(x.covariance()) * random.normal();
    for (auto& row : image.places) {
      for (double& place : row) place = x.mean + common + std::sqrt(x.variance - x.covariance()) * random.normal();
    }
    return image;
  }
  void compare(const std::string& layer, const std::function<std::pair<double, double>(const Image&)>& two) {
    Pairs pairs;
    for (int i = 0; i < kDraws; ++i) {
      const auto [a, b] = two(image());
      pairs.add(a, b);
    }
    expect_close(predict("1x2x4", layer, x).output, pairs.moments(), layer);
  }
};

INSTANTIATE_TEST_SUITE_P(Moments, Correlated,
                         testing::Values(SignalMoments{0, 1, 0.5}, SignalMoments{0.5, 1, 0.3},
                                         SignalMoments{-0.5, 2, 0.8}, SignalMoments{1, 0.5, 0}));

double square_of(const Image& image, int from, const std::function<double(double, double)>& fold, double start) {
  double value = start;
  for (const auto& row : image.places) value = fold(fold(value, row[from]), row[from + 1]);
  return value;
}

TEST_P(Correlated, Pooling) {
  compare("y = average_pool(x, size=2)\n", [](const Image& image) {
    const auto mean = [&](int from) { return square_of(image, from, std::plus<>(), 0) / 4; };
    return std::pair(mean(0), mean(2));
  });
  compare("y = max_pool(x, size=2)\n", [](const Image& image) {
    const auto largest = [&](int from) {
      return square_of(
          image, from, [](double a, double b) { return std::max(a, b); }, -1e9);
    };
    return std::pair(largest(0), largest(2));
  });
}

TEST_P(Correlated, PointByPoint) {
  compare("y = activation(x, function=swish(x))\n", [](const Image& image) {
    const auto f = [](double v) { return v / (1 + std::exp(-v)); };
    return std::pair(f(image.places[0][0]), f(image.places[1][2]));
  });
  compare("y = dropout(x, rate=0.3)\n", [&](const Image& image) {
    const auto f = [&](double v) { return random.uniform() < 0.3 ? 0 : v / 0.7; };
    return std::pair(f(image.places[0][0]), f(image.places[1][2]));
  });
  compare("y = spatial_dropout(x, rate=0.3)\n", [&](const Image& image) {
    const double factor = random.uniform() < 0.3 ? 0 : 1 / 0.7;
    return std::pair(factor * image.places[0][0], factor * image.places[1][2]);
  });
  compare("y = add(x, x)\n",
          [&](const Image& image) { return std::pair(2 * image.places[0][0], 2 * image.places[1][2]); });
}

// Kernels of mean zero, the same at every place.
TEST_P(Correlated, Convolutions) {
  const NodeSignal conv = predict("1x2x4", "y = conv(x, filters=4, kernel=2x1)\n", x);
  Pairs pairs;
  for (int i = 0; i < kDraws; ++i) {
    const Image one = image();
    const double w[2] = {*conv.weight_deviation * random.normal(), *conv.weight_deviation * random.normal()};
    const auto at = [&](int column) { return w[0] * one.places[0][column] + w[1] * one.places[1][column]; };
    pairs.add(at(0), at(2));
  }
  expect_close(conv.output, pairs.moments(), "conv");
}

// Dense layers of few neurons. The first layer's mean square e is χ² of 16 numbers over 16, so that E e² = 1 + 2/16,
// and a function whose second moment is 3/2 v² makes 3/2 (1 + 2/16) of it, exactly.
TEST(Spread, NarrowDenseLayersExactly) {
  const NodeSignal y = predict("16", "a = dense(x, units=12)\ny = activation(a, function=mul(x,relu(x)))\n", {0, 1});
  EXPECT_NEAR(y.output.square(), 1.5 * (1 + 2.0 / 16), 1e-3);
}

// The mean square of the second layer's twelve numbers f(a), by drawing it.
TEST(Spread, NarrowDenseLayers) {
  const NodeSignal second =
      predict("16", "a = dense(x, units=12)\nb = activation(a, function=relu(x))\ny = dense(b, units=7)\n", {0, 1});
  Random random(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    double x[16], e = 0;
    for (double& v : x) v = random.normal();
    for (int unit = 0; unit < 12; ++unit) {
      double a = 0;
      for (const double in : x) a += random.normal() / 4 * in;
      e += a > 0 ? a * a / 6 : 0;
    }
    sum += e;
    squares += e * e;
  }
  const double mean = sum / kDraws, spread = squares / kDraws / (mean * mean) - 1;
  EXPECT_NEAR(mean, 1, kTolerance);
  EXPECT_NEAR(second.spread, spread, 4 * kTolerance * spread);
}

// A function of power two doubles deviations. Many neurons, so that their own part is small. The first layer's e is χ²
// over 16; of its square the relative variance is 0.528, of which the expansion has 0.5.
TEST(Spread, PowersOfFunctions) {
  const NodeSignal second = predict(
      "16", "a = dense(x, units=300)\nb = activation(a, function=mul(x,relu(x)))\ny = dense(b, units=7)\n", {0, 1});
  Random random(5);
  double sum = 0, squares = 0;
  constexpr int kTimes = kDraws / 20;
  for (int i = 0; i < kTimes; ++i) {
    double square = 0, e = 0;
    for (int k = 0; k < 16; ++k) {
      const double x = random.normal();
      square += x * x / 16;
    }
    for (int unit = 0; unit < 300; ++unit) {
      const double a = std::sqrt(square) * random.normal();  // what 16 weights make of the input
      e += a > 0 ? a * a * a * a / 300 : 0;
    }
    sum += e;
    squares += e * e;
  }
  const double mean = sum / kTimes, spread = squares / kTimes / (mean * mean) - 1;
  EXPECT_NEAR(second.spread, spread, 0.15 * spread + kTolerance);
}

// One-dimensional convolutions with a stride: the covariance of neighbouring windows matters.
TEST(Spread, OverlappingWindows) {
  const NodeSignal second =
      predict("2x13", "a = conv(x, filters=8, kernel=3)\ny = conv(a, filters=8, kernel=3, stride=2)\n", {0, 1});
  Random random(4);
  double mean = 0, square = 0;
  constexpr int kTimes = kDraws / 4;
  for (int i = 0; i < kTimes; ++i) {
    double x[2][5], e = 0;
    for (auto& channel : x) {
      for (double& v : channel) v = random.normal();
    }
    for (int filter = 0; filter < 8; ++filter) {
      double w[2][3];
      for (auto& channel : w) {
        for (double& v : channel) v = random.normal() / std::sqrt(6);
      }
      for (int place = 0; place < 3; ++place) {
        double a = 0;
        for (int c = 0; c < 2; ++c) {
          for (int k = 0; k < 3; ++k) a += w[c][k] * x[c][place + k];
        }
        e += a * a / 24;
      }
    }
    mean += e;
    square += e * e;
  }
  mean /= kTimes;
  EXPECT_NEAR(mean, 1, kTolerance);
  const double spread = square / kTimes / (mean * mean) - 1;
  // Of first order in 1/n: the products of deviations that it leaves out are some percent here.
  EXPECT_NEAR(second.spread, spread, 0.03 * spread + kTolerance / 5);
}

// f = x + 1 makes 1 + v of the size v, whatever v varies with: over six layers between zeros, exactly what sums over
// windows say. The middle is larger than the edges and follows v more closely, so that no power of v will do for both:
// that of the average size makes E f² 1.2% too small after each function.
TEST(Spread, MiddleAndEdges) {
  constexpr int kPlaces = 10, kLayers = 6, kChannels = 32;
  std::string text, last = "x";
  for (int i = 0; i < kLayers; ++i) {
    const std::string n = std::to_string(i);
    text += "c" + n + " = conv(" + last + ", filters=32, kernel=5, padding=same)\n";
    text += "a" + n + " = activation(c" + n + ", function=add(x,1))\n";
    last = "a" + n;
  }
  const Network network = parse_network_text("network test\nx = input(shape=32x10)\n" + text + "return " + last + "\n");
  const SignalAnalysis analysis = analyse_signals(network);
  std::array<double, kPlaces> squares{};
  squares.fill(1);
  for (LayerId id = 1; id < network.layers().size(); id += 2) {
    const double deviation = *analysis.nodes[id].weight_deviation;
    std::array<double, kPlaces> sums{};
    double variance = 0;
    for (int to = 0; to < kPlaces; ++to) {
      for (int from = std::max(0, to - 2); from <= std::min(kPlaces - 1, to + 2); ++from) {
        sums[static_cast<std::size_t>(to)] +=
            kChannels * deviation * deviation * squares[static_cast<std::size_t>(from)];
      }
      variance += sums[static_cast<std::size_t>(to)] / kPlaces;
    }
    EXPECT_NEAR(variance, analysis.nodes[id].output.variance, 1e-3) << network.layer(id).name;
    for (std::size_t p = 0; p < kPlaces; ++p) squares[p] = 1 + sums[p];
    EXPECT_NEAR(analysis.nodes[id + 1].output.square(), 1 + variance, 1e-3) << network.layer(id + 1).name;
  }
}

TEST(Spread, NormalisationEndsIt) {
  const std::string before = "a = dense(x, units=5)\n";
  EXPECT_GT(predict("6", before + "y = activation(a, function=relu(x))\n", {0, 1}).spread, 0.3);
  EXPECT_EQ(predict("6", before + "y = layer_norm(a)\n", {0, 1}).spread, 0);
}

TEST(Spread, RunawayIsSaid) {
  std::string layers;
  std::string last = "x";
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    layers += "d" + n + " = dense(" + last + ", units=20)\na" + n + " = activation(d" + n + ", function=square(x))\n";
    last = "a" + n;
  }
  const Network network = parse_network_text("network test\nx = input(shape=20)\n" + layers + "return a7\n");
  const SignalAnalysis analysis = analyse_signals(network);
  ASSERT_EQ(analysis.warnings.size(), 1U);
  EXPECT_NE(analysis.warnings[0].find("amplify"), std::string::npos) << analysis.warnings[0];
}

}  // namespace
}  // namespace actforge
