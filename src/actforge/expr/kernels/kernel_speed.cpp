#include "actforge/expr/kernels/kernel_speed.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

template <class Work>
double fastest_ns(const SpeedOptions& options, Work work) {
  double best = 0;
  for (int round = 0; round <= options.rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    if (round == 1 || (round > 1 && took.count() < best)) best = took.count();  // the first one warms up
  }
  return best / static_cast<double>(options.elements);
}

}  // namespace

KernelSpeed measure_speed(const Expr& expr, const SpeedOptions& options) {
  std::vector<float> x(options.elements), y(options.elements), g(options.elements, 1.0F), dx(options.elements);
  Random random(1, 0, "bench");
  for (float& v : x) v = static_cast<float>(random.normal());
  const Kernel kernel(expr, options.target);
  std::vector<float> gradients(kernel.parameters().size());
  std::vector<float*> outputs;
  outputs.reserve(gradients.size());
  for (float& gradient : gradients) outputs.push_back(&gradient);
  const auto forward = [&] { kernel.forward({.x = x, .y = y}); };
  KernelSpeed speed;
  speed.copy = fastest_ns(options, [&] { std::copy(x.begin(), x.end(), y.begin()); });
  speed.forward = fastest_ns(options, forward);
  speed.forward_backward = fastest_ns(options, [&] {
    forward();
    kernel.backward({.x = x, .grad_y = g, .grad_x = dx, .parameter_gradients = outputs});
  });
  return speed;
}

FunctionCost measure_cost(const Expr& expr) {
  // A function of thousands of operators takes microseconds per number: a guess first, then as long as is good.
  constexpr double kLong = 100;
  const bool is_long = measure_speed(expr, {.elements = 1 << 10, .rounds = 1}).forward_backward > kLong;
  const SpeedOptions options = {.elements = 1 << 16, .rounds = 25};
  const SpeedOptions few = {.elements = 1 << 12, .rounds = 3};
  const Expr relu = parse("relu(x)");
  return {.function = measure_speed(expr, is_long ? few : options).forward_backward,
          .relu = measure_speed(relu, options).forward_backward,
          .target = Kernel(relu).target()};
}

std::string cost_text(const FunctionCost& cost) {
  const auto shown = [](double value, int digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    return std::string(text.data());
  };
  return shown(cost.times_relu(), 2) + " times ReLU (" + shown(cost.function, 2) + " against " + shown(cost.relu, 2) +
         " ns per number, forward and backward, fused kernels in the cache, one thread, " + std::string(cost.target) +
         ")";
}

}  // namespace actforge
