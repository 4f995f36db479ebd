// LibTorch's operators in double precision against the operator table and the reference: values, slopes, kinks.
#include "actforge/torch/execute/torch_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/expr/export_cases.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

using torch::Tensor;

Tensor tensor(const std::vector<double>& values) { return torch::tensor(values, torch::kFloat64); }
std::vector<double> numbers(const Tensor& t) {
  const Tensor flat = t.contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}
Tensor grad_of(const Tensor& of) { return of.grad().defined() ? of.grad() : torch::zeros_like(of); }

std::vector<double> grid() {
  std::vector<double> x;
  for (int i = -320; i <= 320; ++i) x.push_back(i / 32.0);  // with 0, ±1 and ±2.5
  for (double small = 1e-9; small < 0.2; small *= 1.7) x.insert(x.end(), {small, -small});
  x.insert(x.end(), {-0.0, 30, -30, 60, -60});
  return x;
}

void expect_close(double got, double wanted, const std::string& what) {
  if (std::isfinite(wanted)) {
    EXPECT_NEAR(got, wanted, 1e-12 + 1e-11 * std::fabs(wanted)) << what;
  }
}

TEST(TorchOps, CoverTheTable) {
  for (const OpInfo& info : op_table()) {
    const auto is_this = [&](const TorchOp& row) { return row.name == info.name; };
    const bool expanded = !info.definition.empty() || info.arity == kVariadic;
    EXPECT_EQ(std::ranges::count_if(torch_ops(), is_this), expanded ? 0 : 1) << info.name;
  }
}

TEST(TorchOps, UnaryValuesAndSlopesAreThoseOfTheTable) {
  for (const TorchOp& row : torch_ops()) {
    const OpInfo& info = *find_op(row.name);
    if (info.arity != 1) continue;
    const Tensor x = tensor(grid()).requires_grad_();
    const Tensor y = row.unary(x);
    if (y.requires_grad()) y.sum().backward();
    const std::vector<double> at = grid(), values = numbers(y), slopes = numbers(grad_of(x));
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::string what = std::string(info.name) + " at " + std::to_string(at[i]);
      const double value = info.value(at[i]), slope = info.slope(at[i]);
      expect_close(values[i], value, what);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(values[i])) << what;
      } else if (std::isinf(value)) {
        EXPECT_EQ(values[i], value) << what;
      }
      expect_close(slopes[i], slope, "slope of " + what);
    }
    // Not a number in, not a number out; but for the constants.
    const double wanted = info.value(std::nan(""));
    EXPECT_EQ(std::isnan(numbers(row.unary(tensor({std::nan("")})))[0]), std::isnan(wanted)) << info.name;
  }
}

TEST(TorchOps, BinaryValuesAndSlopesAreThoseOfTheTable) {
  std::vector<double> first, second;
  for (const double a : {-3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 2.0, 2.5}) {
    for (const double b : {-3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 2.0, 2.5}) {
      first.push_back(a);
      second.push_back(b);
    }
  }
  for (const TorchOp& row : torch_ops()) {
    const OpInfo& info = *find_op(row.name);
    if (info.arity != 2) continue;
    const Tensor a = tensor(first).requires_grad_(), b = tensor(second).requires_grad_();
    const Tensor y = row.binary(a, b);
    y.sum().backward();
    const auto values = numbers(y), slopes_a = numbers(grad_of(a)), slopes_b = numbers(grad_of(b));
    for (std::size_t i = 0; i < first.size(); ++i) {
      const std::string what =
          std::string(info.name) + "(" + std::to_string(first[i]) + "," + std::to_string(second[i]) + ")";
      const double value = info.value2(first[i], second[i]);
      const Slopes slopes = info.slope2(first[i], second[i]);
      expect_close(values[i], value, what);
      EXPECT_EQ(std::isnan(values[i]), std::isnan(value)) << what;
      if (!std::isfinite(value)) continue;
      expect_close(slopes_a[i], slopes.first, "first slope of " + what);
      expect_close(slopes_b[i], slopes.second, "second slope of " + what);
    }
  }
}

// What is compared with the reference at one point, and how far it may be off.
struct Comparison {
  int points = 0, slopes = 0, wrong = 0;
  std::string first_wrong;

  void add(bool good, const std::string& what) {
    if (!good && first_wrong.empty()) first_wrong = what;
    wrong += good ? 0 : 1;
  }
};

bool is_close(double got, double wanted) { return std::fabs(got - wanted) <= 1e-9 * (1 + std::fabs(wanted)); }

void compare(const Expr& expr, const std::vector<double>& at, Comparison& comparison) {
  const Graph graph = canonical(expr);
  const Reference reference(expr);
  const std::size_t count = reference.parameters().size();
  // One sample whose neurons are the points, each with a value of every parameter, so that all gradients are slopes.
  const Tensor x = tensor(at).unsqueeze(0).requires_grad_();
  std::vector<Tensor> parameters;
  for (const double value : reference.parameter_values())
    parameters.push_back(torch::full_like(x[0], value).requires_grad_());
  const Tensor y = run_operators(graph, {x, parameters, 0});
  if (y.requires_grad()) y.sum().backward();
  const std::vector<double> values = numbers(y), slopes = numbers(grad_of(x));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::string what = to_call(expr) + " at " + std::to_string(at[i]);
    const auto [value, slope] = reference.at(at[i]);
    ++comparison.points;
    if (std::isfinite(value)) comparison.add(is_close(values[i], value), what + ", value");
    // Beyond, LibTorch's slopes of Bessel functions have cancelled, and further out products overflow.
    if (!std::isfinite(value) || !(largest_inside(expr, at[i]) < 1e6)) continue;
    const auto moved = [&](double u) { return reference.value(u); };
    if (std::isfinite(slope) && is_smooth(moved, at[i], slope)) {
      ++comparison.slopes;
      comparison.add(is_close(slopes[i], slope), what + ", slope");
    }
    for (std::size_t k = 0; k < count; ++k) {
      Reference changed = reference;
      const auto with = [&](double p) {
        changed.set_parameter(k, p);
        return changed.value(at[i]);
      };
      const double wanted = reference.at(at[i], k).slope, centre = reference.parameter_values()[k];
      if (!std::isfinite(wanted) || !is_smooth(with, centre, wanted)) continue;
      ++comparison.slopes;
      comparison.add(is_close(numbers(grad_of(parameters[k]))[i], wanted), what + ", parameter " + std::to_string(k));
    }
  }
}

// Every operator, the functions of the dissertation and places that need care, at kinks too where the slope is agreed.
TEST(RunOperators, AgreesWithTheReference) {
  Comparison comparison;
  for (const Expr& expr : export_cases(ACTFORGE_TESTS "/expr/export_expressions.txt"))
    compare(expr, export_grid(), comparison);
  EXPECT_EQ(comparison.wrong, 0) << comparison.first_wrong;
  EXPECT_GT(comparison.points, 10000);
  EXPECT_GT(comparison.slopes, 12000);
}

TEST(RunOperators, RandomExpressionsAgreeWithTheReference) {
  Random random(23);
  Comparison comparison;
  for (int round = 0; round < 400; ++round) {
    std::vector<double> at = {0, 1, -1};
    for (int i = 0; i < 30; ++i) at.push_back(1.5 * random.normal());
    compare(random_expr(random, 2 + random.below(14)), at, comparison);
  }
  EXPECT_EQ(comparison.wrong, 0) << comparison.first_wrong;
  EXPECT_GT(comparison.slopes, 10000);
}

// max(x,0) and max(0,x) have slope 0 at 0, as the reference has; LibTorch's maximum would give half.
TEST(RunOperators, ConstantsTakeTies) {
  for (const char* text :
       {"max(x,0)", "max(0,x)", "min(x,0)", "max_n(x,0,-1)", "max(tanh(x),0)", "hard_sigmoid(sub(x,2.5))",
        "max(x,negative(x))", "selu(x)", "leaky_relu(x)", "relu(x)", "abs(x)", "min0(x)"}) {
    const Expr expr = parse(text);
    const Tensor x = torch::zeros({1, 1}, torch::kFloat64).requires_grad_();
    run_operators(canonical(expr), {x, {}, 0}).sum().backward();
    EXPECT_EQ(x.grad().item<double>(), Reference(expr).at(0).slope) << text;
  }
}

}  // namespace
}  // namespace actforge
