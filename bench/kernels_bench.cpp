// The fused kernels beside LibTorch's own operators, single thread, over the functions of the dissertation's result
// tables. Every function's values and gradients are compared with LibTorch before anything is timed.
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/nn/functional.h>
#include <torch/special.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/parse.h"

namespace {

namespace F = torch::nn::functional;
using torch::Tensor;

struct Case {
  const char* table;
  const char* expression;
  std::function<Tensor(const Tensor& x, const std::vector<Tensor>& p)> eager;
};

Tensor swish(const Tensor& x) { return torch::silu(x); }
Tensor hard_sigmoid(const Tensor& x) { return torch::clamp(0.2 * x + 0.5, 0, 1); }
Tensor min0(const Tensor& x) { return torch::clamp_max(x, 0); }
Tensor max0(const Tensor& x) { return torch::clamp_min(x, 0); }
Tensor log_abs_eps(const Tensor& x) { return torch::log(torch::abs(x + 1e-7)); }
Tensor arctan3(const Tensor& x) { return torch::atan(torch::pow(x, 3)); }

using P = const std::vector<Tensor>&;

// What a user would write for each in PyTorch.
std::vector<Case> cases() {
  return {
      // Two operators or fewer: shown, but not part of the claim.
      {"baseline", "relu(x)", [](const Tensor& x, P) { return torch::relu(x); }},
      {"baseline", "swish(x)", [](const Tensor& x, P) { return swish(x); }},
      {"pangaea", "softplus(elu(x))", [](const Tensor& x, P) { return F::softplus(torch::elu(x)); }},
      {"pangaea", "selu(swish(x))", [](const Tensor& x, P) { return torch::selu(swish(x)); }},
      // CAFE, table "top three activation functions".
      {"cafe", "exp(sub(min0(erf(x)),relu(x)))*min0(arctan(cube(x))*relu(abs(x)))",
       [](const Tensor& x, P) {
         return torch::exp(min0(torch::erf(x)) - max0(x)) * min0(arctan3(x) * max0(torch::abs(x)));
       }},
      {"cafe", "exp(max(min0(erf(x)),relu(x)))*min0(arctan(cube(x))*relu(abs(x)))",
       [](const Tensor& x, P) {
         return torch::exp(torch::maximum(min0(torch::erf(x)), max0(x))) * min0(arctan3(x) * max0(torch::abs(x)));
       }},
      {"cafe", "negative(arctan(cube(x))*cos(one(x)))*negative(arctan(min0(x))*relu(abs(x)))",
       [](const Tensor& x, P) {
         return -(arctan3(x) * torch::cos(torch::ones_like(x))) * -(torch::atan(min0(x)) * max0(torch::abs(x)));
       }},
      {"cafe", "min(cos(max(cube(min0(x)),softplus(one(x)))),gauss(add(abs(relu(x)),exp(sigmoid(x)))))",
       [](const Tensor& x, P) {
         const Tensor inner = torch::abs(max0(x)) + torch::exp(torch::sigmoid(x));
         return torch::minimum(torch::cos(torch::maximum(torch::pow(min0(x), 3), F::softplus(torch::ones_like(x)))),
                               torch::exp(-torch::square(inner)));
       }},
      {"cafe", "max(max(log_abs_eps(min0(x))*sigmoid(erf(x)),0),0)",
       [](const Tensor& x, P) { return max0(max0(log_abs_eps(min0(x)) * torch::sigmoid(torch::erf(x)))); }},
      {"cafe",
       "add(min0(max(cube(log_abs_eps(x)),negative(log_abs_eps(x)))),exp(add(min0(tanh(x)),log_abs_eps(relu(x)))))",
       [](const Tensor& x, P) {
         return min0(torch::maximum(torch::pow(log_abs_eps(x), 3), -log_abs_eps(x))) +
                torch::exp(min0(torch::tanh(x)) + log_abs_eps(max0(x)));
       }},
      {"cafe", "arctan(min(sinh(sin(x)),arctan(relu(x))))*tanh(negative(sin(x))*arcsinh(x))",
       [](const Tensor& x, P) {
         return torch::atan(torch::minimum(torch::sinh(torch::sin(x)), torch::atan(max0(x)))) *
                torch::tanh(-torch::sin(x) * torch::asinh(x));
       }},
      {"cafe", "sub(relu(div_eps(min0(cube(x)),relu(sin(x)))),min(square(x),relu(x)))",
       [](const Tensor& x, P) {
         return max0(min0(torch::pow(x, 3)) / (max0(torch::sin(x)) + 1e-7)) - torch::minimum(torch::square(x), max0(x));
       }},
      {"cafe", "arctan(x)*min0(x)", [](const Tensor& x, P) { return torch::atan(x) * min0(x); }},
      {"cafe", "tanh(x)*min0(x)", [](const Tensor& x, P) { return torch::tanh(x) * min0(x); }},
      {"cafe", "min0(x)*erf(x)", [](const Tensor& x, P) { return min0(x) * torch::erf(x); }},
      {"cafe", "sigmoid(x)*erf(x)", [](const Tensor& x, P) { return torch::sigmoid(x) * torch::erf(x); }},
      // PANGAEA, tables of main results, search strategies, All-CNN-C and reliability.
      {"pangaea", "log_sigmoid(alpha*x)*(beta*arcsinh(x))",
       [](const Tensor& x, P p) { return F::logsigmoid(p[0] * x) * (p[1] * torch::asinh(x)); }},
      {"pangaea", "log_sigmoid(alpha*x)*arcsinh(x)",
       [](const Tensor& x, P p) { return F::logsigmoid(p[0] * x) * torch::asinh(x); }},
      {"pangaea", "log_sigmoid(x)*arcsinh(x)", [](const Tensor& x, P) { return F::logsigmoid(x) * torch::asinh(x); }},
      {"pangaea", "negative(swish(swish(alpha*x)))", [](const Tensor& x, P p) { return -swish(swish(p[0] * x)); }},
      {"pangaea", "alpha*x - beta*log_sigmoid(gamma*x)",
       [](const Tensor& x, P p) { return p[0] * x - p[1] * F::logsigmoid(p[2] * x); }},
      {"pangaea", "min(log_sigmoid(x),alpha*log_sigmoid(beta*x))",
       [](const Tensor& x, P p) { return torch::minimum(F::logsigmoid(x), p[0] * F::logsigmoid(p[1] * x)); }},
      {"pangaea", "max(swish(x),alpha*log_sigmoid(relu(x)))",
       [](const Tensor& x, P p) { return torch::maximum(swish(x), p[0] * F::logsigmoid(torch::relu(x))); }},
      {"pangaea", "min(swish(x),alpha*elu(relu(beta*x)))",
       [](const Tensor& x, P p) { return torch::minimum(swish(x), p[0] * torch::elu(torch::relu(p[1] * x))); }},
      {"pangaea", "softplus(x)*arctan(alpha*x)",
       [](const Tensor& x, P p) { return F::softplus(x) * torch::atan(p[0] * x); }},
      {"pangaea", "relu(alpha*arcsinh(beta*sigmoid(x)))*selu(gamma*x)",
       [](const Tensor& x, P p) {
         return torch::relu(p[0] * torch::asinh(p[1] * torch::sigmoid(x))) * torch::selu(p[2] * x);
       }},
      {"pangaea", "alpha*relu(beta*abs(relu(gamma*x)))",
       [](const Tensor& x, P p) { return p[0] * torch::relu(p[1] * torch::abs(torch::relu(p[2] * x))); }},
      {"pangaea", "alpha*swish(x)*cosh(beta(1))",
       [](const Tensor& x, P p) { return p[0] * swish(x) * torch::cosh(p[1]); }},
      {"pangaea", "max(x,alpha*log_sigmoid(selu(x)))",
       [](const Tensor& x, P p) { return torch::maximum(x, p[0] * F::logsigmoid(torch::selu(x))); }},
      {"pangaea", "max(alpha*max(beta*relu(arcsinh(x)),x),max(gamma*relu(arcsinh(x)),x))",
       [](const Tensor& x, P p) {
         return torch::maximum(p[0] * torch::maximum(p[1] * torch::relu(torch::asinh(x)), x),
                               torch::maximum(p[2] * torch::relu(torch::asinh(x)), x));
       }},
      {"pangaea", "max(relu(swish(alpha*x)),beta*x)",
       [](const Tensor& x, P p) { return torch::maximum(torch::relu(swish(p[0] * x)), p[1] * x); }},
      {"pangaea", "max(swish(x),arcsinh(alpha*x))",
       [](const Tensor& x, P p) { return torch::maximum(swish(x), torch::asinh(p[0] * x)); }},
      {"pangaea", "alpha*max(beta*swish(gamma*x),swish(x))",
       [](const Tensor& x, P p) { return p[0] * torch::maximum(p[1] * swish(p[2] * x), swish(x)); }},
      {"pangaea", "elu(elu(alpha*x) + log_sigmoid(0))",
       [](const Tensor& x, P p) { return torch::elu(torch::elu(p[0] * x) + F::logsigmoid(torch::zeros_like(x))); }},
      {"pangaea", "bessel_i0e(abs(x)) + alpha*abs(x)",
       [](const Tensor& x, P p) { return torch::special::i0e(torch::abs(x)) + p[0] * torch::abs(x); }},
      // AQuaSurF, table of search results.
      {"aquasurf", "hard_sigmoid(hard_sigmoid(x))*elu(x)",
       [](const Tensor& x, P) { return hard_sigmoid(hard_sigmoid(x)) * torch::elu(x); }},
      {"aquasurf", "sigmoid(softsign(x))*elu(x)",
       [](const Tensor& x, P) { return torch::sigmoid(F::softsign(x)) * torch::elu(x); }},
      {"aquasurf", "swish(x)/selu(one(x))",
       [](const Tensor& x, P) { return swish(x) / torch::selu(torch::ones_like(x)); }},
      {"aquasurf", "selu(sinh(expm1(arctan(x))))",
       [](const Tensor& x, P) { return torch::selu(torch::sinh(torch::expm1(torch::atan(x)))); }},
      {"aquasurf", "x*erfc(elu(x))", [](const Tensor& x, P) { return x * torch::special::erfc(torch::elu(x)); }},
      {"aquasurf", "negative(x)*sigmoid(x)*hard_sigmoid(x)",
       [](const Tensor& x, P) { return -x * torch::sigmoid(x) * hard_sigmoid(x); }},
      {"aquasurf", "elu(swish(negative(x)))", [](const Tensor& x, P) { return torch::elu(swish(-x)); }},
      {"aquasurf", "swish(x)*erfc(bessel_i0e(x))",
       [](const Tensor& x, P) { return swish(x) * torch::special::erfc(torch::special::i0e(x)); }},
  };
}

// Two sizes of tensor. Small: 1 MB, within the second-level cache, memory recycled by the allocator. Large: 64 MB, 64
// channels of 64x64 for a batch of 64; here every temporary of eager execution is fresh memory from the system.
constexpr std::int64_t kSmall = 1 << 18, kLarge = 1 << 24;

struct Timings {
  double ours_forward, ours_both, torch_forward, torch_both;
};

// The fastest of several rounds: what is left of the noise of a shared machine.
double fastest_ns(std::int64_t elements, const std::function<void()>& work) {
  double best = 1e30;
  const int rounds = elements == kSmall ? 15 : 2;
  for (int round = 0; round <= rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    if (round > 0) best = std::min(best, took.count() / static_cast<double>(elements));  // the first warms up
  }
  return best;
}

std::size_t operators(const char* expression) {
  const actforge::Expr expr = actforge::parse(expression);
  return expr.operator_count();
}

struct Workload {
  actforge::Kernel kernel;
  std::int64_t elements;
  Tensor x, g, y, dx;
  std::vector<Tensor> parameters;
  std::vector<float> values, gradients;
  std::vector<actforge::ParameterView> views;
  std::vector<float*> outputs;

  Workload(const char* expression, std::int64_t n) : kernel(actforge::parse(expression)), elements(n) {
    torch::manual_seed(1);
    x = torch::randn({n}).requires_grad_();
    g = torch::randn({n});
    y = torch::zeros({n});
    dx = torch::zeros({n});
    const std::size_t count = kernel.parameters().size();
    values.resize(count);
    gradients.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      values[k] = 0.9f + 0.05f * static_cast<float>(k);
      parameters.push_back(torch::full({1}, values[k]).requires_grad_());
      views.push_back({.values = &values[k]});
      outputs.push_back(&gradients[k]);
    }
  }

  std::span<const float> in(const Tensor& t) const { return {t.data_ptr<float>(), static_cast<std::size_t>(elements)}; }
  std::span<float> out(Tensor& t) const { return {t.data_ptr<float>(), static_cast<std::size_t>(elements)}; }

  void forward() { kernel.forward({.x = in(x), .y = out(y), .parameters = views}); }
  void backward() {
    kernel.backward(
        {.x = in(x), .grad_y = in(g), .grad_x = out(dx), .parameters = views, .parameter_gradients = outputs});
  }
};

bool check(const Case& test, Workload& work) {
  work.forward();
  work.backward();
  const Tensor wanted = test.eager(work.x, work.parameters);
  wanted.backward(work.g);
  const auto far = [&](const Tensor& a, const Tensor& b) {
    const Tensor error = ((a - b).abs() / (1 + b.abs())).nan_to_num();
    return std::get<0>(error.kthvalue(work.elements - work.elements / 1000)).item<float>();
  };
  // All but one in a thousand: a few points beside kinks and poles fall to the other side in the last bit.
  const float value_error = far(work.y, wanted.detach()), slope_error = far(work.dx, work.x.grad());
  bool good = value_error < 1e-5f && slope_error < 1e-4f;
  for (std::size_t k = 0; k < work.parameters.size(); ++k) {
    const float theirs = work.parameters[k].grad().item<float>();
    good = good && std::fabs(theirs - work.gradients[k]) < 1e-3f * (std::fabs(theirs) + 100);
  }
  if (!good) std::fprintf(stderr, "WRONG %s: values %g, slopes %g\n", test.expression, value_error, slope_error);
  return good;
}

Timings time_case(const Case& test, Workload& work) {
  Timings t{};
  t.ours_forward = fastest_ns(work.elements, [&] { work.forward(); });
  t.ours_both = fastest_ns(work.elements, [&] { work.forward(), work.backward(); });
  {
    torch::NoGradGuard no_grad;
    t.torch_forward = fastest_ns(work.elements, [&] { benchmark::DoNotOptimize(test.eager(work.x, work.parameters)); });
  }
  t.torch_both = fastest_ns(work.elements, [&] {
    work.x.mutable_grad().reset();
    for (Tensor& p : work.parameters) p.mutable_grad().reset();
    test.eager(work.x, work.parameters).backward(work.g);
  });
  return t;
}

// Prints one table; returns whether all answers were right.
bool run_size(std::int64_t elements) {
  std::vector<float> from(static_cast<std::size_t>(elements), 1), to(static_cast<std::size_t>(elements));
  const double copy = fastest_ns(elements, [&] {
    std::copy(from.begin(), from.end(), to.begin());
    benchmark::DoNotOptimize(to.data());
  });
  std::printf("\n%lld elements; ns per element; a plain copy takes %.3f\n", static_cast<long long>(elements), copy);
  std::printf("%-9s %-46.46s %8s %8s %6s   %8s %8s %6s\n", "table", "expression", "forward", "LibTorch", "ratio",
              "fwd+bwd", "LibTorch", "ratio");
  double log_sum = 0;
  int counted = 0;
  bool good = true;
  for (const Case& test : cases()) {
    Workload work(test.expression, elements);
    if (elements == kSmall) good = check(test, work) && good;
    const Timings t = time_case(test, work);
    const bool counts = operators(test.expression) >= 3;
    std::printf("%-9s %-46.46s %8.3f %8.2f %5.1fx   %8.3f %8.2f %5.1fx%s\n", test.table, test.expression,
                t.ours_forward, t.torch_forward, t.torch_forward / t.ours_forward, t.ours_both, t.torch_both,
                t.torch_both / t.ours_both, counts ? "" : "  (not counted)");
    std::fflush(stdout);
    if (counts) log_sum += std::log(t.torch_both / t.ours_both), ++counted;
  }
  std::printf(
      "geometric mean of the forward+backward ratios over the %d functions with three or more operators: %.1fx\n",
      counted, std::exp(log_sum / counted));
  return good;
}

}  // namespace

int main() {
  at::set_num_threads(1);
  std::printf("one thread, LibTorch %s eager, actforge kernels %s into the caller's buffers\n", TORCH_VERSION,
              std::string(actforge::Kernel::targets().front()).c_str());
  const bool good = run_size(kSmall);
  return run_size(kLarge) && good ? 0 : 1;
}
