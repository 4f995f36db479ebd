// Recurrent layers, whose kernels keep their usual initialisation (Glorot's, and orthogonal ones for the state): what
// comes out is simulated.
#include <algorithm>
#include <cmath>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/weights/orthogonal.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// What reaches the gates of unit k: from the input and from the state.
struct Gates {
  const std::vector<float>&drive, &pull;
  std::size_t units, k;

  float input(std::size_t gate) const { return drive[gate * units + k]; }
  float state(std::size_t gate) const { return pull[gate * units + k]; }
  float both(std::size_t gate) const { return input(gate) + state(gate); }
};

// The formulas of net/layers/recurrent.cpp.
struct LstmCell {
  static constexpr std::size_t kGates = 4;
  static void step(const Gates& gates, float& h, float& c) {
    c = sigmoid(gates.both(1)) * c + sigmoid(gates.both(0)) * std::tanh(gates.both(2));
    h = sigmoid(gates.both(3)) * std::tanh(c);
  }
};

struct GruCell {
  static constexpr std::size_t kGates = 3;
  static void step(const Gates& gates, float& h, float& /*c*/) {
    const float z = sigmoid(gates.both(1));
    const float n = std::tanh(gates.input(2) + sigmoid(gates.both(0)) * gates.state(2));
    h = (1 - z) * n + z * h;
  }
};

struct SimpleCell {
  static constexpr std::size_t kGates = 1;
  static void step(const Gates& gates, float& h, float& /*c*/) { h = std::tanh(gates.both(0)); }
};

// One recurrent network with weights of its own; wide ones are cut, and the kernel widened to make up for channels.
template <class Cell>
class Simulation {
 public:
  Simulation(const MomentQuery& q, Random& random)
      : random_(random),
        input_(q.inputs[0]),
        units_(std::min<std::size_t>(kMost, static_cast<std::size_t>(q.setting.integer("units")))),
        channels_(std::min<std::size_t>(kMost, static_cast<std::size_t>(q.setting.inputs[0].channels()))),
        kernel_(Cell::kGates * units_ * channels_),
        state_kernel_(Cell::kGates * units_ * units_) {
    const Weight weight = {
        .name = "recurrent_kernel",
        .role = WeightRole::kRecurrentKernel,
        .shape = {static_cast<std::int64_t>(Cell::kGates * units_), static_cast<std::int64_t>(units_)}};
    fill_orthogonal(weight, random_, state_kernel_);
    const double widened = static_cast<double>(q.setting.inputs[0].channels()) / static_cast<double>(channels_);
    const double limit = std::sqrt(3 * q.kernel_variance * widened);  // U(-a, a) has variance a²/3
    for (float& w : kernel_) w = static_cast<float>(limit * (2 * random_.uniform() - 1));
  }

  // Multiplications in a step.
  double work() const { return static_cast<double>(Cell::kGates * units_ * (channels_ + units_)); }

  // The states of one sequence; calls see(time, state) for each number.
  template <class See>
  void run(std::size_t times, const See& see) {
    const std::size_t rows = Cell::kGates * units_;
    std::vector<float> h(units_), c(units_), x(channels_), drive(rows), pull(rows);
    const double deviation = std::sqrt(input_.variance);
    for (std::size_t time = 0; time < times; ++time) {
      for (float& v : x) v = static_cast<float>(input_.mean + deviation * random_.normal());
      multiply(kernel_, x, drive);
      multiply(state_kernel_, h, pull);
      for (std::size_t k = 0; k < units_; ++k) {
        Cell::step({drive, pull, units_, k}, h[k], c[k]);
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

  Random& random_;
  SignalMoments input_;
  std::size_t units_, channels_;
  std::vector<float> kernel_, state_kernel_;
};

template <class Cell>
MomentResult map_recurrent(const MomentQuery& q) {
  // Long before that the state no longer depends on how it started.
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
      Simulation<Cell> simulation(q, random);
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
  return {
      .output = {mean, std::max(0.0, square / count - mean * mean)}, .how = MomentMethod::kSimulated, .error = error};
}

constexpr MomentMapRow kRows[] = {
    {kLstmLayer, map_recurrent<LstmCell>, uniform_profile, usual_spread},
    {kGruLayer, map_recurrent<GruCell>, uniform_profile, usual_spread},
    {kSimpleRnnLayer, map_recurrent<SimpleCell>, uniform_profile, usual_spread},
};

}  // namespace

std::span<const MomentMapRow> recurrent_maps() { return kRows; }

}  // namespace actforge
