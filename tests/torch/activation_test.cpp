// The fused kernels against LibTorch's operators, over memory layouts, scopes and numbers of threads.
#include "actforge/torch/execute/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "tests/expr/export_cases.h"
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
  if (result.y.requires_grad()) result.y.backward(weights);  // else it is a constant
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

// A sum of that many numbers may cancel while their errors do not.
void expect_sum_close(const Tensor& got, const Tensor& wanted, std::int64_t terms, const std::string& what) {
  ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
  EXPECT_TRUE(torch::allclose(got.to(torch::kFloat64), wanted, 1e-5, 1e-5 * std::sqrt(static_cast<double>(terms))))
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

// The points of x at which a function neither jumps nor amplifies a rounding error: moving x a little hardly changes
// value or slope.
Tensor well_conditioned(const Expr& expr, const Layout& layout, const std::vector<Tensor>& values) {
  const auto at = [&](double shift) {
    Layout moved = layout;
    moved.x = layout.x.to(torch::kFloat64) + shift;
    return oracle(expr, moved, values, torch::ones_like(layout.x));
  };
  const Result here = at(0), left = at(-1e-5), right = at(1e-5);
  const Tensor moved = (left.y - here.y).abs() + (right.y - here.y).abs() + (left.grad_x - here.grad_x).abs() +
                       (right.grad_x - here.grad_x).abs();
  return (moved < 1e-3) & (here.y.abs() < 1e3) & (here.grad_x.abs() < 1e3);  // false for NaN
}

struct Tally {
  std::int64_t compared = 0, wrong = 0;
  std::string first_wrong;
};

// Values, and gradients of x and the parameters. Ill-conditioned points are replaced by another of their column, as a
// single NaN would spoil a parameter's sum.
void compare_with_oracle(const Expr& expr, Tally& tally) {
  const Activation fused(expr);
  Layout layout{"random", 1.5 * torch::randn({40, 5}), 0};
  const std::vector<Tensor> values = random_parameters(fused, layout);
  const Tensor good = well_conditioned(expr, layout, values);
  layout.x = torch::where(good, layout.x, layout.x.gather(0, good.to(torch::kInt64).argmax(0, true)));
  const Tensor usable = well_conditioned(expr, layout, values);
  const Tensor weights = usable * (torch::rand_like(layout.x) + 0.5);
  const Result got = run(fused, layout, values, weights), wanted = oracle(expr, layout, values, weights);
  const auto differs = [](const Tensor& a, const Tensor& b) {
    return ~torch::isclose(a.to(torch::kFloat64), b, 2e-3, 2e-3) & b.isfinite();
  };
  Tensor wrong = (usable & (differs(got.y, wanted.y) | differs(got.grad_x, wanted.grad_x))).sum();
  for (std::size_t k = 0; k < values.size(); ++k) wrong = wrong + differs(got.grads[k], wanted.grads[k]).sum();
  tally.compared += usable.sum().item<std::int64_t>();
  tally.wrong += wrong.item<std::int64_t>();
  if (wrong.item<std::int64_t>() > 0 && tally.first_wrong.empty()) tally.first_wrong = to_call(expr);
}

// Every operator, and the functions of the dissertation.
TEST(Activation, FusedAgreesWithTheOperatorsOnEveryFunction) {
  Tally tally;
  for (const Expr& expr : export_cases(ACTFORGE_TESTS "/expr/export_expressions.txt")) compare_with_oracle(expr, tally);
  EXPECT_GT(tally.compared, 25000);
  EXPECT_LT(tally.wrong, tally.compared / 5000) << tally.first_wrong;
}

TEST(Activation, FusedAgreesWithTheOperatorsOnRandomFunctions) {
  Random random(29);
  Tally tally;
  for (int round = 0; round < 200; ++round) compare_with_oracle(random_expr(random, 2 + random.below(14)), tally);
  EXPECT_GT(tally.compared, 20000);
  // What moving x does not show: arctanh(x/(x+1e-7)) sits in float's last digit before its pole.
  EXPECT_LT(tally.wrong, tally.compared / 500) << tally.first_wrong;
}

// Directional derivatives of a loss on a whole batch, against central differences.
TEST(Activation, OperatorsAgreeWithFiniteDifferences) {
  for (const char* text : {"mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))", "tanh(alpha[1,layer](x))",
                           "add(alpha[1,layer](tanh(x)),add(beta(sin(x)),gamma[0.5,neuron](cos(x))))",
                           "div(x,add(1,alpha(square(x))))", "pow(add(2,sigmoid(alpha(x))),beta(x))"}) {
    const Activation activation(parse(text), ActivationBackend::kOperators);
    for (Layout layout : layouts()) {
      if (layout.x.dim() == 1 || layout.x.numel() == 0 || layout.x.numel() > 10000) continue;
      layout.x = layout.x.to(torch::kFloat64);
      std::vector<Tensor> values = random_parameters(activation, layout), directions;
      for (Tensor& value : values) value = value.to(torch::kFloat64);
      const Tensor weights = torch::randn(layout.x.sizes(), torch::kFloat64);
      const Result result = run(activation, layout, values, weights);
      const Tensor x_direction = torch::randn(layout.x.sizes(), torch::kFloat64);
      double wanted = (result.grad_x * x_direction).sum().item<double>();
      for (std::size_t k = 0; k < values.size(); ++k) {
        directions.push_back(torch::randn_like(values[k]));
        wanted += (result.grads[k] * directions[k]).sum().item<double>();
      }
      const auto loss = [&](double step) {
        std::vector<Tensor> moved;
        for (std::size_t k = 0; k < values.size(); ++k) moved.push_back(values[k] + step * directions[k]);
        const Tensor y = activation.apply(layout.x + step * x_direction, moved, layout.channel_axis);
        return (y * weights).sum().item<double>();
      };
      const double h = 1e-6, found = (loss(h) - loss(-h)) / (2 * h);
      EXPECT_NEAR(found, wanted, 1e-6 * (1 + std::fabs(wanted))) << text << " on " << layout.name;
    }
  }
}

// The kernels have no second derivative; the operators stand in.
TEST(Activation, FusedHasSecondDerivatives) {
  const Expr expr = parse("mul(log_sigmoid(alpha(x)),beta[0.5,neuron](arcsinh(x)))");
  const auto second = [&](torch::ScalarType type) {
    torch::manual_seed(4);
    const Tensor leaf = torch::randn({6, 5}).to(type).requires_grad_();
    const Tensor x = 2 * leaf;  // not a leaf: the graph goes on below it
    const Activation activation(expr);
    std::vector<Tensor> parameters = activation.initial_parameters({5}, 0);
    for (Tensor& parameter : parameters) parameter = parameter.to(type).requires_grad_();
    const Tensor y = activation.apply(x, parameters, 0);
    const auto first = torch::autograd::grad({torch::sin(y).sum()}, {leaf, parameters[0]}, {}, true, true);
    (first[0].square().sum() + first[1].square().sum()).backward();
    return std::vector<Tensor>{leaf.grad(), parameters[0].grad(), parameters[1].grad()};
  };
  const auto got = second(torch::kFloat32), wanted = second(torch::kFloat64);
  for (std::size_t k = 0; k < got.size(); ++k) {
    EXPECT_GT(wanted[k].abs().max().item<double>(), 0.1);
    EXPECT_TRUE(torch::allclose(got[k].to(torch::kFloat64), wanted[k], 1e-4, 1e-4)) << k;
  }
}

TEST(Activation, OnlyWhatNeedsAGradientGetsOne) {
  const Activation activation(parse("mul(tanh(alpha(x)),beta[0.5,neuron](x))"));
  const Tensor data = torch::randn({8, 5});
  const auto gradients_for = [&](bool of_x, bool of_alpha, bool of_beta) {
    const Tensor x = data.clone().requires_grad_(of_x);
    std::vector<Tensor> parameters = activation.initial_parameters({5}, 0);
    parameters[0].requires_grad_(of_alpha);
    parameters[1].requires_grad_(of_beta);
    activation.apply(x, parameters, 0).sum().backward();
    EXPECT_EQ(x.grad().defined(), of_x);
    EXPECT_EQ(parameters[0].grad().defined(), of_alpha);
    EXPECT_EQ(parameters[1].grad().defined(), of_beta);
    return std::vector<Tensor>{x.grad(), parameters[0].grad(), parameters[1].grad()};
  };
  const auto all = gradients_for(true, true, true);
  EXPECT_TRUE(same_bits(gradients_for(true, false, false)[0], all[0]));
  EXPECT_TRUE(same_bits(gradients_for(false, true, false)[1], all[1]));
  EXPECT_TRUE(same_bits(gradients_for(false, false, true)[2], all[2]));
  EXPECT_FALSE(activation.apply(data, activation.initial_parameters({5}, 0), 0).requires_grad());
  const torch::NoGradGuard no_grad;
  EXPECT_FALSE(
      activation.apply(data.clone().requires_grad_(), activation.initial_parameters({5}, 0), 0).requires_grad());
}

TEST(Activation, TheGraphOutlivesTheActivation) {
  const Tensor x = torch::randn({8, 5}).requires_grad_();
  const Tensor y = Activation(parse("x*x")).apply(x, {}, 0);
  y.sum().backward();
  EXPECT_TRUE(torch::allclose(x.grad(), 2 * x));
  EXPECT_THROW(y.sum().backward(), c10::Error);  // what was kept is gone
}

TEST(Activation, NoticesThatItsInputWasOverwritten) {
  const Tensor leaf = torch::randn({8, 5}).requires_grad_();
  Tensor x = leaf + 1;
  const Tensor y = Activation(parse("tanh(x)")).apply(x, {}, 0);
  x.mul_(2);
  EXPECT_THROW(y.sum().backward(), c10::Error);
}

TEST(Activation, NotANumberStaysOne) {
  const Tensor x = torch::full({3, 4}, std::nan(""));
  for (const auto backend : {ActivationBackend::kFused, ActivationBackend::kOperators}) {
    for (const char* text : {"relu(x)", "max(x,0)", "min(x,tanh(x))", "hard_sigmoid(x)", "div_no_nan(1,x)"}) {
      EXPECT_TRUE(Activation(parse(text), backend).apply(x, {}, 0).isnan().all().item<bool>()) << text;
    }
  }
}

TEST(Activation, MistakesAreExplained) {
  const Activation activation(parse("alpha(x)"));
  const Tensor x = torch::randn({4, 3, 2});
  const auto message = [&](std::vector<Tensor> parameters, std::int64_t channel_axis, const Tensor& input) {
    try {
      activation.apply(input, parameters, channel_axis);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({torch::ones({3})}, 0, x), "");
  EXPECT_EQ(message({}, 0, x), "the function has 1 parameters, values were given for 0");
  EXPECT_EQ(message({torch::ones({3})}, 1, x), "parameter 'alpha' has the shape [3] instead of [2]");
  EXPECT_EQ(message({torch::ones({3})}, 2, x), "no axis 2 in samples of shape [3, 2]");
  EXPECT_EQ(message({torch::ones({3}, torch::kFloat64)}, 0, x), "parameter 'alpha' has another type or device than x");
  EXPECT_EQ(message({torch::ones({3})}, 0, torch::ones({})),
            "an activation function needs a batch, not a single number");
}

}  // namespace
}  // namespace actforge
