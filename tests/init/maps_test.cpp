// Every map against simulation: within 1% for means 0 and ±0.5, variances 0.5, 1 and 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "actforge/init/moments/softmax_moments.h"
#include "actforge/init/signal_analysis.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "tests/init/simulate.h"

namespace actforge {
namespace {

using simulate::Average;
using simulate::groups;
using simulate::kTolerance;
using Numbers = std::span<const double>;

class Maps : public testing::TestWithParam<SignalMoments> {
 protected:
  const SignalMoments x = GetParam();

  // The last layer of the network whose lines follow "x = input(...)".
  NodeSignal predict(const std::string& shape, const std::string& lines) const {
    const Network network = parse_network_text("network test\nx = input(shape=" + shape + ")\n" + lines);
    const SignalAnalysis analysis = analyse_signals(network, {.input = x, .strict = true});
    return analysis.nodes[network.outputs()[0]];
  }

  static void expect_close(const NodeSignal& predicted, const SignalMoments& simulated) {
    const double deviation = std::sqrt(simulated.variance);
    EXPECT_NEAR(predicted.output.mean, simulated.mean, kTolerance * std::max(deviation, std::fabs(simulated.mean)));
    EXPECT_NEAR(predicted.output.variance, simulated.variance, kTolerance * simulated.variance);
  }

  // `size` numbers come in, see() adds what goes out.
  void compare(const std::string& shape, const std::string& layer, std::size_t size,
               const std::function<void(Numbers in, Average& out)>& see) const {
    Average average;
    groups(x, size, [&](Numbers in) { see(in, average); });
    SCOPED_TRACE(layer);
    expect_close(predict(shape, "y = " + layer + "\nreturn y\n"), average.moments());
  }
};

INSTANTIATE_TEST_SUITE_P(Moments, Maps,
                         testing::Values(SignalMoments{0, 0.5}, SignalMoments{0, 1}, SignalMoments{0, 2},
                                         SignalMoments{0.5, 0.5}, SignalMoments{0.5, 1}, SignalMoments{0.5, 2},
                                         SignalMoments{-0.5, 0.5}, SignalMoments{-0.5, 1}, SignalMoments{-0.5, 2}));

TEST_P(Maps, Activations) {
  const struct {
    const char* text;
    double (*function)(double);
  } functions[] = {
      {"relu(x)", [](double v) { return std::max(0.0, v); }},
      {"tanh(x)", [](double v) { return std::tanh(v); }},
      {"swish(x)", [](double v) { return v / (1 + std::exp(-v)); }},
      {"relu(x) - alpha[0.25]*relu(-x)", [](double v) { return v > 0 ? v : 0.25 * v; }},
      {"exp(0.3*x)", [](double v) { return std::exp(0.3 * v); }},
  };
  for (const auto& row : functions) {
    compare("4", std::string("activation(x, function=") + row.text + ")", 1,
            [&](Numbers in, Average& out) { out.add(row.function(in[0])); });
  }
}

TEST_P(Maps, Dropout) {
  Random random(5);
  for (const char* layer : {"dropout(x, rate=0.3)", "spatial_dropout(x, rate=0.3)"}) {
    compare("4x4", layer, 1, [&](Numbers in, Average& out) { out.add(random.uniform() < 0.3 ? 0 : in[0] / 0.7); });
  }
}

// One channel of 5 x 4 numbers under windows of 3 x 2, as far as they are inside.
template <class Combine>
void pool(Numbers image, int stride, int before, const Combine& combine, Average& out) {
  for (int row = -before; row + 3 <= 5 + before; row += stride) {
    for (int column = 0; column + 2 <= 4; column += stride) {
      std::vector<double> seen;
      for (int i = std::max(0, row); i < std::min(5, row + 3); ++i) {
        for (int j = column; j < column + 2; ++j) seen.push_back(image[4 * i + j]);
      }
      out.add(combine(seen));
    }
  }
}

double largest(Numbers x) { return *std::max_element(x.begin(), x.end()); }
double sum_of(Numbers x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}
double mean_of(Numbers x) { return sum_of(x) / static_cast<double>(x.size()); }

TEST_P(Maps, Pooling) {
  compare("1x5x4", "max_pool(x, size=3x2, stride=2, padding=1x0)", 20,
          [](Numbers in, Average& out) { pool(in, 2, 1, largest, out); });
  compare("1x5x4", "average_pool(x, size=3x2, stride=2, padding=1x0)", 20,
          [](Numbers in, Average& out) { pool(in, 2, 1, mean_of, out); });
  compare("1x5x4", "global_max_pool(x)", 20, [](Numbers in, Average& out) { out.add(largest(in)); });
  compare("1x5x4", "global_average_pool(x)", 20, [](Numbers in, Average& out) { out.add(mean_of(in)); });
  compare("3x5x4", "reduce_mean(x, axes=0x1)", 15, [](Numbers in, Average& out) { out.add(mean_of(in)); });
  compare("3x5x4", "reduce_sum(x, axes=2)", 4, [](Numbers in, Average& out) { out.add(sum_of(in)); });
}

void normalise(Numbers x, double epsilon, Average& out) {
  const double mean = mean_of(x);
  double variance = 0;
  for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  for (const double v : x) out.add((v - mean) / std::sqrt(variance + epsilon));
}

TEST_P(Maps, Normalisation) {
  const auto over = [](Numbers in, Average& out) { normalise(in, 1e-5, out); };
  compare("100x8", "batch_norm(x)", 1000, over);
  compare("4x12", "layer_norm(x)", 4, over);
  compare("8x3", "group_norm(x, groups=2)", 12, over);
  compare("8", "batch_norm(x, epsilon=0.5)", 100'000, [](Numbers in, Average& out) { normalise(in, 0.5, out); });
}

TEST_P(Maps, ArithmeticOfIndependentSignals) {
  // Three signals of different moments: x, and two layers that only rescale and shift.
  const std::string others = "b = activation(x, function=2*x+1)\nc = activation(x, function=0.5*x-0.25)\n";
  const struct {
    const char* layer;
    double (*function)(double a, double b, double c);
  } rows[] = {
      {"add(x, b, c)", [](double a, double b, double c) { return a + b + c; }},
      {"subtract(x, b)", [](double a, double b, double) { return a - b; }},
      {"multiply(x, b, c)", [](double a, double b, double c) { return a * b * c; }},
      {"average(x, b, c)", [](double a, double b, double c) { return (a + b + c) / 3; }},
      {"maximum(x, b, c)",
       [](double a, double b, double c) {
         return std::max({a, b, c});
       }},
      {"minimum(x, b, c)",
       [](double a, double b, double c) {
         return std::min({a, b, c});
       }},
      {"weighted_sum(x, b, c, initial=0.5)", [](double a, double b, double c) { return 0.5 * (a + b + c); }},
      {"add(x, x, b)", [](double a, double b, double) { return 2 * a + b; }},
      {"multiply(x, x, b)", [](double a, double b, double) { return a * a * b; }},
  };
  for (const auto& row : rows) {
    Average average;
    groups(x, 3, [&](Numbers in) { average.add(row.function(in[0], 2 * in[1] + 1, 0.5 * in[2] - 0.25)); });
    SCOPED_TRACE(row.layer);
    const bool b = std::string(row.layer).find('b') != std::string::npos;
    const bool c = std::string(row.layer).find(", c") != std::string::npos;
    std::string lines = others;
    if (!c) lines = lines.substr(0, lines.find("c ="));
    ASSERT_TRUE(b);
    expect_close(predict("6", lines + "y = " + row.layer + "\nreturn y\n"), average.moments());
  }
}

TEST_P(Maps, Concatenation) {
  Average average;
  groups(x, 3, [&](Numbers in) {
    average.add(in[0]), average.add(in[1]);
    average.add(3 * in[2] + 1);
  });
  expect_close(predict("4x3x3",
                       "s = slice(x, begin=0, length=2)\nb = activation(s, function=3*x+1)\n"
                       "y = concatenate(x, b)\nreturn y\n"),
               average.moments());
}

TEST_P(Maps, ShapesAndPadding) {
  compare("1x3x4", "zero_padding(x, padding=1x2:0)", 12, [](Numbers in, Average& out) {
    for (const double v : in) out.add(v);
    for (int zeros = 12; zeros < 5 * 6; ++zeros) out.add(0);
  });
  const auto same = [](Numbers in, Average& out) { out.add(in[0]); };
  for (const char* layer : {"cropping(x)", "flatten(x)", "reshape(x, shape=-1)", "permute(x, order=1x0x2)",
                            "up_sampling(x)", "slice(x, begin=1, length=1)"}) {
    compare("2x3x4", layer, 1, same);
  }
  // Between neighbours at places (i + 1/2)/3 - 1/2, held at both ends.
  compare("1x5", "up_sampling(x, factor=3, mode=linear)", 5, [](Numbers in, Average& out) {
    for (int i = 0; i < 15; ++i) {
      const double at = std::clamp((i + 0.5) / 3 - 0.5, 0.0, 4.0);
      const auto left = static_cast<std::size_t>(at), right = std::min<std::size_t>(left + 1, 4);
      out.add(in[left] + (at - static_cast<double>(left)) * (in[right] - in[left]));
    }
  });
}

// Three places of which the corners are those of four, and one that is the first of five.
TEST_P(Maps, Resizing) {
  compare("1x4", "resize(x, size=3)", 4, [](Numbers in, Average& out) {
    for (int i = 0; i < 3; ++i) {
      const double at = i * 3.0 / 2;
      const auto left = static_cast<std::size_t>(at), right = std::min<std::size_t>(left + 1, 3);
      out.add(in[left] + (at - static_cast<double>(left)) * (in[right] - in[left]));
    }
  });
  compare("1x5", "resize(x, size=1)", 5, [](Numbers in, Average& out) { out.add(in[0]); });
}

TEST_P(Maps, MatricesAndAttention) {
  Average product, attention;
  groups(x, 10, [&](Numbers in) {
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) sum += in[k] * (2 * in[5 + k] + 1);
    product.add(0.5 * sum);
  });
  expect_close(predict("5x5", "b = activation(x, function=2*x+1)\ny = matmul(x, b, scale=0.5)\nreturn y\n"),
               product.moments());
  compare("3x8", "softmax(x)", 8, [](Numbers in, Average& out) {
    double total = 0;
    for (const double v : in) total += std::exp(v);
    for (const double v : in) out.add(std::exp(v) / total);
  });
  groups(x, 10, [&](Numbers in) {
    double total = 0, sum = 0;
    for (std::size_t k = 0; k < 5; ++k) total += std::exp(in[k]);
    for (std::size_t k = 0; k < 5; ++k) sum += std::exp(in[k]) / total * (in[5 + k] + 2);
    attention.add(sum);
  });
  expect_close(predict("5x5", "s = softmax(x)\nv = activation(x, function=x+2)\ny = matmul(s, v)\nreturn y\n"),
               attention.moments());
}

// Layers with kernels: the scale that makes their output (0, 1), padding included, by drawing kernels and images.
TEST_P(Maps, KernelsGiveUnitVariance) {
  const NodeSignal conv = predict("2x4x3", "y = conv(x, filters=3, kernel=3, padding=same)\nreturn y\n");
  ASSERT_TRUE(conv.weight_deviation);
  EXPECT_EQ(conv.output.mean, 0);
  EXPECT_EQ(conv.output.variance, 1);
  Random random(7);
  Average out;
  groups(x, 24, [&](Numbers image) {
    double kernel[18];
    for (double& w : kernel) w = *conv.weight_deviation * random.normal();
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 3; ++column) {
        double sum = 0;
        for (int c = 0; c < 2; ++c) {
          for (int i = std::max(0, row - 1); i <= std::min(3, row + 1); ++i) {
            for (int j = std::max(0, column - 1); j <= std::min(2, column + 1); ++j) {
              sum += kernel[9 * c + 3 * (i - row + 1) + (j - column + 1)] * image[12 * c + 3 * i + j];
            }
          }
        }
        out.add(sum);
      }
    }
  });
  EXPECT_NEAR(out.moments().variance, 1, kTolerance);

  const NodeSignal dense = predict("10", "y = dense(x, units=3)\nreturn y\n");
  Average sums;
  groups(x, 10, [&](Numbers in) {
    double sum = 0;
    for (const double v : in) sum += *dense.weight_deviation * random.normal() * v;
    sums.add(sum);
  });
  EXPECT_NEAR(sums.moments().variance, 1, kTolerance);

  // Each number of the input adds its window to the output: 5 numbers, windows of 3 at distance 2, one cut at each end.
  const NodeSignal up = predict("1x5", "y = transposed_conv(x, filters=1, kernel=3, stride=2, margin=1)\nreturn y\n");
  Average wide;
  groups(x, 5, [&](Numbers in) {
    double kernel[3], line[11] = {};
    for (double& w : kernel) w = *up.weight_deviation * random.normal();
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t k = 0; k < 3; ++k) line[2 * i + k] += kernel[k] * in[i];
    }
    for (std::size_t i = 1; i < 10; ++i) wide.add(line[i]);
  });
  EXPECT_NEAR(wide.moments().variance, 1, kTolerance);

  // Groups and depth see fewer channels.
  const double square = x.square();
  EXPECT_NEAR(*predict("8x9", "y = conv(x, filters=4, kernel=3, groups=2)\nreturn y\n").weight_deviation,
              1 / std::sqrt(12 * square), 1e-12);
  EXPECT_NEAR(*predict("8x9x9", "y = depthwise_conv(x, kernel=3)\nreturn y\n").weight_deviation,
              1 / std::sqrt(9 * square), 1e-12);
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

// With whole matrices, orthogonal ones by Gram and Schmidt, and nothing cut short.
TEST_P(Maps, RecurrentLayers) {
  constexpr std::size_t kUnits = 8, kChannels = 5, kTimes = 6, kDraws = simulate::kSamples / 150;
  for (const std::string kind : {"lstm", "gru", "simple_rnn"}) {
    const std::size_t gates = kind == "lstm" ? 4 : kind == "gru" ? 3 : 1;
    Random random(11);
    Average out;
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      std::vector<std::vector<double>> u;
      for (std::size_t gate = 0; gate < gates; ++gate) {
        const std::size_t first = u.size();
        while (u.size() < first + kUnits) {
          std::vector<double> row(kUnits);
          for (double& v : row) v = random.normal();
          for (std::size_t i = first; i < u.size(); ++i) {
            double dot = 0;
            for (std::size_t k = 0; k < kUnits; ++k) dot += row[k] * u[i][k];
            for (std::size_t k = 0; k < kUnits; ++k) row[k] -= dot * u[i][k];
          }
          double length = 0;
          for (const double v : row) length += v * v;
          for (double& v : row) v /= std::sqrt(length);
          u.push_back(row);
        }
      }
      std::vector<std::vector<double>> w(gates * kUnits, std::vector<double>(kChannels));
      const double limit = std::sqrt(6.0 / (kChannels + kUnits));
      for (auto& row : w) {
        for (double& v : row) v = limit * (2 * random.uniform() - 1);
      }
      std::vector<double> h(kUnits), c(kUnits);
      for (std::size_t time = 0; time < kTimes; ++time) {
        std::vector<double> drive(gates * kUnits), pull(gates * kUnits);
        double input[kChannels];
        for (double& v : input) v = x.mean + std::sqrt(x.variance) * random.normal();
        for (std::size_t i = 0; i < drive.size(); ++i) {
          for (std::size_t k = 0; k < kChannels; ++k) drive[i] += w[i][k] * input[k];
          for (std::size_t k = 0; k < kUnits; ++k) pull[i] += u[i][k] * h[k];
        }
        for (std::size_t k = 0; k < kUnits; ++k) {
          const auto both = [&](std::size_t gate) { return drive[gate * kUnits + k] + pull[gate * kUnits + k]; };
          if (kind == "lstm") {
            c[k] = sigmoid(both(1)) * c[k] + sigmoid(both(0)) * std::tanh(both(2));
            h[k] = sigmoid(both(3)) * std::tanh(c[k]);
          } else if (kind == "gru") {
            const double z = sigmoid(both(1));
            h[k] = (1 - z) * std::tanh(drive[2 * kUnits + k] + sigmoid(both(0)) * pull[2 * kUnits + k]) + z * h[k];
          } else {
            h[k] = std::tanh(both(0));
          }
        }
      }
      for (const double v : h) out.add(v);
    }
    SCOPED_TRACE(kind);
    const NodeSignal predicted = predict("6x5, channels_last=true", "y = " + kind + "(x, units=8)\nreturn y\n");
    EXPECT_EQ(predicted.how, MomentMethod::kSimulated);
    EXPECT_LT(predicted.error, 0.005);
    expect_close(predicted, out.moments());
  }
}

// From almost nothing to one number that has it all, by simulation.
TEST(Softmax, AnyVariance) {
  for (const double count : {2.0, 10.0, 200.0}) {
    for (const double variance : {1e-30, 1e-6, 9e-5, 1.1e-4, 0.3, 30.0, 3000.0, 1e5}) {
      Random random(3);
      Average out;
      for (int draw = 0; draw < 400'000 / static_cast<int>(count); ++draw) {
        std::vector<double> x(static_cast<std::size_t>(count));
        for (double& v : x) v = std::sqrt(variance) * random.normal();
        const double top = largest(x);
        double total = 0;
        for (double& v : x) total += v = std::exp(v - top);
        for (const double v : x) out.add(v / total - 1 / count);
      }
      const SignalMoments predicted = softmax_moments(count, variance);
      EXPECT_DOUBLE_EQ(predicted.mean, 1 / count);
      EXPECT_NEAR(predicted.variance / out.moments().variance, 1, 0.05) << count << " numbers of variance " << variance;
    }
    EXPECT_EQ(softmax_moments(count, 0).variance, 0);
    EXPECT_LE(softmax_moments(count, 1e300).variance, 1 / count);
  }
}

}  // namespace
}  // namespace actforge
