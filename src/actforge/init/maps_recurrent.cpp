// Recurrent layers, whose kernels keep their usual beginning (Glorot's, and orthogonal ones for the state): what comes
// out is simulated.
#include <algorithm>
#include <cmath>

#include "actforge/init/layer_map.h"
#include "actforge/init/orthogonal.h"
#include "actforge/net/layers.h"

namespace actforge {
namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// One recurrent network with weights of its own; wide ones are cut, and the kernel widened to make up for channels.
class Simulation {
 public:
  Simulation(const MapQuestion& q, Random& random)
      : random_(random),
        kind_(q.setting.kind),
        input_(q.inputs[0]),
        units_(std::min<std::size_t>(kMost, static_cast<std::size_t>(q.setting.integer("units")))),
        channels_(std::min<std::size_t>(kMost, static_cast<std::size_t>(q.setting.inputs[0].channels()))),
        gates_(kind_ == &kLstmLayer  ? 4
               : kind_ == &kGruLayer ? 3
                                     : 1),
        kernel_(gates_ * units_ * channels_),
        state_kernel_(gates_ * units_ * units_) {
    const Weight weight = {.name = "recurrent_kernel",
                           .role = WeightRole::kRecurrentKernel,
                           .shape = {static_cast<std::int64_t>(gates_ * units_), static_cast<std::int64_t>(units_)}};
    fill_orthogonal(weight, random_, state_kernel_);
    const double widened = static_cast<double>(q.setting.inputs[0].channels()) / static_cast<double>(channels_);
    const double limit = std::sqrt(3 * q.kernel_variance * widened);  // U(-a, a) has variance a²/3
    for (float& w : kernel_) w = static_cast<float>(limit * (2 * random_.uniform() - 1));
  }

  // Multiplications in a step.
  double work() const { return static_cast<double>(gates_ * units_ * (channels_ + units_)); }

  // The states of one sequence; calls see(time, state) for each number.
  template <class See>
  void run(std::size_t times, const See& see) {
    const std::size_t rows = gates_ * units_;
    std::vector<float> h(units_), c(units_), x(channels_), drive(rows), pull(rows);
    const double deviation = std::sqrt(input_.variance);
    for (std::size_t time = 0; time < times; ++time) {
      for (float& v : x) v = static_cast<float>(input_.mean + deviation * random_.normal());
      multiply(kernel_, x, drive);
      multiply(state_kernel_, h, pull);
      for (std::size_t k = 0; k < units_; ++k) {
        step(k, drive, pull, h, c);
        see(time, static_cast<double>(h[k]));
      }
    }
  }

 private:
  static constexpr std::size_t kMost = 48;

  static void multiply(const std::vector<float>& matrix, const std::vector<float>& x, std::vector<float>& y) {
    for (std::size_t row = 0; row < y.size(); ++row) {
      float sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += matrix[row * x.size() + k] * x[k];
      y[row] = sum;
    }
  }

  // The formulas of layers_recurrent.cpp.
  void step(std::size_t k, const std::vector<float>& drive, const std::vector<float>& pull, std::vector<float>& h,
            std::vector<float>& c) const {
    const auto both = [&](std::size_t gate) { return drive[gate * units_ + k] + pull[gate * units_ + k]; };
    if (kind_ == &kLstmLayer) {
      c[k] = sigmoid(both(1)) * c[k] + sigmoid(both(0)) * std::tanh(both(2));
      h[k] = sigmoid(both(3)) * std::tanh(c[k]);
    } else if (kind_ == &kGruLayer) {
      const float z = sigmoid(both(1));
      const float n = std::tanh(drive[2 * units_ + k] + sigmoid(both(0)) * pull[2 * units_ + k]);
      h[k] = (1 - z) * n + z * h[k];
    } else {
      h[k] = std::tanh(both(0));
    }
  }

  Random& random_;
  const LayerKind* kind_;
  SignalMoments input_;
  std::size_t units_, channels_, gates_;
  std::vector<float> kernel_, state_kernel_;
};

}  // namespace

MapAnswer map_recurrent(const MapQuestion& q) {
  // Long before that the state has forgotten how it began.
  constexpr std::size_t kMostTimes = 50;
  constexpr std::size_t kRound = 16, kSequences = 4;
  constexpr double kGoodError = 0.004, kMostWork = 4e8;  // multiplications: some tenths of a second
  const auto times = std::min<std::size_t>(kMostTimes, static_cast<std::size_t>(q.setting.inputs[0].shape[0]));
  const bool every_time = q.setting.flag("sequence");
  Random random(0, 0, "recurrent map");
  double count = 0, mean = 0, square = 0, fourth = 0;  // over draws of the weights: of a draw's mean and mean square
  double error = 1, work = 0;
  while (work < kMostWork && error > kGoodError) {
    for (std::size_t draw = 0; draw < kRound; ++draw) {
      Simulation simulation(q, random);
      work += simulation.work() * static_cast<double>(times * kSequences);
      MixedMoments mixed;
      for (std::size_t sequence = 0; sequence < kSequences; ++sequence) {
        simulation.run(times, [&](std::size_t time, double state) {
          if (every_time || time + 1 == times) mixed.add(1, {state, 0});
        });
      }
      const double own = mixed.square / mixed.share;
      count += 1, mean += mixed.mean / mixed.share, square += own, fourth += own * own;
    }
    const double average = square / count;
    if (average == 0) break;
    error = std::sqrt(std::max(0.0, fourth / count - average * average) / (count - 1)) / average;
  }
  mean /= count;
  return {.output = {mean, std::max(0.0, square / count - mean * mean)}, .how = MapHow::kSimulated, .error = error};
}

}  // namespace actforge
