// The fused kernels against LibTorch's operators, over memory layouts, scopes and numbers of threads.
#include "actforge/train/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

using torch::Tensor;

struct Result {
  Tensor y, grad_x;
  std::vector<Tensor> grads;
};

class Threads {
 public:
  explicit Threads(int count) : before_(torch::get_num_threads()) { torch::set_num_threads(count); }
  ~Threads() { torch::set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

// Where x comes from decides how it lies in memory; `channel_axis` counts within the sample.
struct Layout {
  const char* name;
  Tensor x;
  std::int64_t channel_axis;
  bool same_strides = true;  // whether the result lies as x does
};

std::vector<Layout> layouts() {
  torch::manual_seed(3);
  const auto last = torch::MemoryFormat::ChannelsLast;
  const auto last3d = torch::MemoryFormat::ChannelsLast3d;
  return {
      {"features", torch::randn({37, 53}), 0},
      {"images", torch::randn({3, 5, 7, 11}), 0},
      {"large images", torch::randn({9, 5, 31, 33}), 0},
      {"images, channels last", torch::randn({3, 5, 7, 11}).contiguous(last), 0},
      {"large images, channels last", torch::randn({9, 5, 31, 33}).contiguous(last), 0},
      {"volumes", torch::randn({2, 3, 4, 5, 6}), 0},
      {"volumes, channels last", torch::randn({2, 3, 4, 5, 6}).contiguous(last3d), 0},
      {"tokens", torch::randn({4, 9, 6}), 1},
      {"signals", torch::randn({4, 9, 6}), 0},
      {"many tokens", torch::randn({16, 64, 51}), 1},
      {"one pixel, channels last", torch::randn({4, 6, 1, 1}).contiguous(last), 0},
      {"one image, channels last", torch::randn({1, 6, 5, 4}).contiguous(last), 0},
      {"one channel, channels last", torch::randn({3, 1, 5, 4}).contiguous(last), 0},
      {"every other row", torch::randn({3, 5, 14, 11}).slice(2, 0, 14, 2), 0, false},
      {"a slice of channels, channels last", torch::randn({3, 9, 7, 4}).contiguous(last).slice(1, 2, 7), 0, false},
      {"transposed tokens", torch::randn({4, 9, 6}).transpose(1, 2), 0},
      {"batch in the middle", torch::randn({9, 4, 6}).transpose(0, 1), 1, false},
      {"expanded", torch::randn({5, 1, 6}).expand({5, 8, 6}), 1, false},
      {"flat", torch::randn({50}), 0},
      {"no samples", torch::randn({0, 5, 7, 11}), 0},
  };
}

std::vector<Tensor> random_parameters(const Activation& activation, const Layout& layout) {
  torch::manual_seed(11);
  std::vector<Tensor> list = activation.initial_parameters(layout.x.sizes().slice(1), layout.channel_axis);
  for (Tensor& parameter : list) parameter = 0.3 * torch::randn_like(parameter) + parameter;
  return list;
}

// Gradients of sum(weights · y).
Result run(const Activation& activation, const Layout& layout, const std::vector<Tensor>& values,
           const Tensor& weights) {
  // A leaf that lies in memory as the layout says.
  const Tensor x = layout.x.detach().requires_grad_();
  std::vector<Tensor> parameters;
  for (const Tensor& value : values) parameters.push_back(value.detach().requires_grad_());
  Result result{.y = activation.apply(x, parameters, layout.channel_axis), .grad_x = {}, .grads = {}};
  if (!result.y.requires_grad()) return result;  // a constant
  result.y.backward(weights);
  const auto or_zero = [](const Tensor& of) { return of.grad().defined() ? of.grad() : torch::zeros_like(of); };
  result.grad_x = or_zero(x);
  for (const Tensor& parameter : parameters) result.grads.push_back(or_zero(parameter));
  return result;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const Tensor p = a.contiguous(), q = b.contiguous();
  return p.sizes() == q.sizes() &&
         std::memcmp(p.data_ptr(), q.data_ptr(), static_cast<std::size_t>(p.numel()) * p.element_size()) == 0;
}

void expect_close(const Tensor& got, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
  EXPECT_TRUE(torch::allclose(got.to(torch::kFloat64), wanted, 1e-5, 1e-5))
      << what << ": off by " << (got - wanted).abs().max().item<double>();
}

// A sum of that many numbers may cancel while their errors do not, and kernels add up a chunk in float32.
void expect_sum_close(const Tensor& got, const Tensor& wanted, std::int64_t terms, const std::string& what) {
  ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
  EXPECT_TRUE(torch::allclose(got.to(torch::kFloat64), wanted, 1e-4, 1e-5 * std::sqrt(static_cast<double>(terms))))
      << what << ": off by " << (got - wanted).abs().max().item<double>();
}

// The oracle: operators, in double precision.
Result oracle(const Expr& expr, Layout layout, std::vector<Tensor> values, const Tensor& weights) {
  layout.x = layout.x.to(torch::kFloat64);
  for (Tensor& value : values) value = value.to(torch::kFloat64);
  return run(Activation(expr, ActivationBackend::kOperators), layout, values, weights.to(torch::kFloat64));
}

// Of each scope, and mixed; what is special is in the operators' own tests.
constexpr const char* kScoped[] = {
    "swish(x)",
    "mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))",
    "tanh(alpha[1,layer](x))",
    "mul(alpha[1,neuron](x),sigmoid(beta[0.5,neuron](x)))",
    "add(alpha[1,layer](tanh(x)),add(beta(sin(x)),gamma[0.5,neuron](cos(x))))",
    "prelu(pswish(x))",
    "alpha(1)",
    "alpha[1,neuron](1)",
};

TEST(Activation, FusedAgreesWithTheOperatorsOnEveryLayout) {
  for (const char* text : kScoped) {
    const Activation fused(parse(text));
    for (const Layout& layout : layouts()) {
      const bool needs_channels = std::string_view(text).find("layer](x") == std::string_view::npos;
      if (layout.x.dim() == 1 && needs_channels && !fused.parameters().empty()) continue;
      const std::string what = std::string(text) + " on " + layout.name;
      const std::vector<Tensor> values = random_parameters(fused, layout);
      for (const Tensor& weights : {torch::randn(layout.x.sizes()), torch::randn({1}).expand(layout.x.sizes())}) {
        const Result got = run(fused, layout, values, weights), wanted = oracle(parse(text), layout, values, weights);
        expect_close(got.y, wanted.y, what);
        expect_close(got.grad_x, wanted.grad_x, what + ", gradient");
        if (layout.same_strides && std::string_view(text).find("neuron") == std::string_view::npos &&
            std::string_view(text).find("prelu") == std::string_view::npos) {
          EXPECT_EQ(got.y.strides(), layout.x.strides()) << what;
        }
        for (std::size_t k = 0; k < values.size(); ++k) {
          expect_sum_close(got.grads[k], wanted.grads[k], layout.x.numel(), what + ", parameter " + std::to_string(k));
        }
      }
    }
  }
}

TEST(Activation, ThreadsDoNotChangeABit) {
  for (const char* text : kScoped) {
    const Activation fused(parse(text));
    for (const Layout& layout : layouts()) {
      if (layout.x.numel() < 40000) continue;  // one chunk, one thread
      const std::vector<Tensor> values = random_parameters(fused, layout);
      const Tensor weights = torch::randn(layout.x.sizes());
      const auto with_threads = [&](int count) {
        const Threads threads(count);
        return run(fused, layout, values, weights);
      };
      const Result one = with_threads(1);
      for (const int count : {2, 2, 3}) {
        const Result other = with_threads(count);
        EXPECT_TRUE(same_bits(one.y, other.y)) << text << " on " << layout.name;
        EXPECT_TRUE(same_bits(one.grad_x, other.grad_x)) << text << " on " << layout.name;
        for (std::size_t k = 0; k < values.size(); ++k) {
          EXPECT_TRUE(same_bits(one.grads[k], other.grads[k])) << text << " on " << layout.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace actforge
