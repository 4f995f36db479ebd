// What a layer of a network pays for its activation function, forward and backward, allocation and LibTorch's graph
// included: fused kernels beside what a user would write in LibTorch. Answers are compared before anything is timed.
#include <ATen/Parallel.h>
#include <torch/nn/functional.h>
#include <torch/special.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "actforge/expr/language/parse.h"
#include "actforge/torch/execute/activation.h"

namespace {

namespace F = torch::nn::functional;
using torch::Tensor;
using Function = std::function<Tensor(const Tensor& x)>;

using Parameters = std::vector<Tensor>;

struct Case {
  const char* expression;
  Tensor (*eager)(const Tensor& x, const Parameters& p);
};

std::vector<Case> cases() {
  return {
      {"relu(x)", [](const Tensor& x, const Parameters&) { return torch::relu(x); }},
      {"swish(x)", [](const Tensor& x, const Parameters&) { return torch::silu(x); }},
      {"log_sigmoid(x)*arcsinh(x)",
       [](const Tensor& x, const Parameters&) { return F::logsigmoid(x) * torch::asinh(x); }},
      {"sigmoid(softsign(x))*elu(x)",
       [](const Tensor& x, const Parameters&) { return torch::sigmoid(F::softsign(x)) * torch::elu(x); }},
      // Of each channel's own.
      {"log_sigmoid(alpha*x)*(beta*arcsinh(x))",
       [](const Tensor& x, const Parameters& p) {
         return F::logsigmoid(p[0].view({-1, 1, 1}) * x) * (p[1].view({-1, 1, 1}) * torch::asinh(x));
       }},
  };
}

Tensor images() { return torch::randn({64, 16, 28, 28}).contiguous(torch::MemoryFormat::ChannelsLast); }

struct Gradients {
  Tensor y, x;
};

Gradients forward_backward(const Function& function, const Tensor& x, const Tensor& grad_y) {
  const Tensor y = function(x);
  x.mutable_grad().reset();
  y.backward(grad_y);
  return {y.detach(), x.grad()};
}

bool check(const char* expression, const Function& ours, const Function& theirs) {
  const Tensor x = images().requires_grad_(), grad_y = images();
  const Gradients a = forward_backward(ours, x, grad_y), b = forward_backward(theirs, x, grad_y);
  const bool good = torch::allclose(a.y, b.y, 1e-4, 1e-5) && torch::allclose(a.x, b.x, 1e-4, 1e-4);
  if (!good) std::fprintf(stderr, "WRONG %s\n", expression);
  return good;
}

struct Milliseconds {
  double ours = 1e30, theirs = 1e30;
};

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// The fastest of many rounds, in turns, so that whatever else the machine does hits both.
Milliseconds fastest(const std::function<void()>& ours, const std::function<void()>& theirs) {
  Milliseconds best;
  for (int round = 0; round < 60; ++round) {
    best.ours = std::min(best.ours, milliseconds(ours));
    best.theirs = std::min(best.theirs, milliseconds(theirs));
  }
  return best;
}

void print_row(const char* expression, const Function& ours, const Function& theirs) {
  const Tensor x = images(), leaf = images().requires_grad_(), grad_y = images();
  const Milliseconds forward = fastest([&] { ours(x); }, [&] { theirs(x); });
  const Milliseconds both =
      fastest([&] { forward_backward(ours, leaf, grad_y); }, [&] { forward_backward(theirs, leaf, grad_y); });
  std::printf("%-38s %7d  %8.3f %8.3f %5.1fx   %8.3f %8.3f %5.1fx\n", expression, torch::get_num_threads(),
              forward.ours, forward.theirs, forward.theirs / forward.ours, both.ours, both.theirs,
              both.theirs / both.ours);
  std::fflush(stdout);
}

}  // namespace

int main() {
  torch::manual_seed(1);
  bool good = true;
  std::printf("[64, 16, 28, 28] channels last, milliseconds; LibTorch %s\n", TORCH_VERSION);
  std::printf("%-38s %7s  %8s %8s %6s   %8s %8s %6s\n", "expression", "threads", "forward", "LibTorch", "ratio",
              "fwd+bwd", "LibTorch", "ratio");
  for (const Case& test : cases()) {
    const actforge::Activation activation(actforge::parse(test.expression));
    const Parameters parameters = activation.initial_parameters({16, 28, 28}, 0);
    for (const Tensor& parameter : parameters) parameter.requires_grad_();
    const Function fused = [&](const Tensor& x) { return activation.apply(x, parameters, 0); };
    const Function eager = [&](const Tensor& x) { return test.eager(x, parameters); };
    good = check(test.expression, fused, eager) && good;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      print_row(test.expression, fused, eager);
    }
  }
  return good ? 0 : 1;
}
