// Values and slopes are those of the operator table wherever both are finite, kinks included. What differs:
//   - Where the table's slope is infinite (sqrt, reciprocal and pow at 0) it is 0 here. LibTorch multiplies slopes as
//     they come, so 0·inf would make NaN of a function that is locally constant: sqrt(relu(x)) below 0.
//   - For the same reason the slope can be NaN where an inner slope has overflowed and an outer one has vanished, as in
//     tanh(exp(x)) far out. The table and the kernels say 0.
//   - At ±inf, gates such as swish are NaN where the table has the limit.
//   - Where three or more arguments of max_n or min_n tie, they share the slope in other proportions.
//   - The slopes of Bessel functions lose digits as their argument grows, to 1e-9 at ten millions.
// The kernels follow the table in all of these but the last, which float32 does not see.
#include "actforge/torch/execute/torch_ops.h"

#include <array>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {
namespace {

using torch::Tensor;

constexpr double kSeluScale = 1.05070098;
constexpr double kSeluAlpha = 1.67326324;

// a where `keep` is true and a harmless number elsewhere: torch::where lets the gradient of neither side through, but
// multiplies it by 0, and 0·inf is NaN.
Tensor masked(const Tensor& keep, const Tensor& a, double harmless) {
  return torch::where(keep, a, torch::full({}, harmless, a.options()));
}

Tensor reciprocal(const Tensor& a) {
  const Tensor is_zero = a == 0;
  return torch::where(is_zero, torch::reciprocal(a.detach()), torch::reciprocal(masked(~is_zero, a, 1)));
}

Tensor square_root(const Tensor& a) {
  const Tensor is_zero = a == 0;
  return torch::where(is_zero, a.detach(), torch::sqrt(masked(~is_zero, a, 1)));
}

// LibTorch's own has other digits in its constants, and at 0 the slope of the left side.
Tensor selu(const Tensor& a) {
  const Tensor is_negative = a < 0;
  return kSeluScale * torch::where(is_negative, kSeluAlpha * torch::expm1(masked(is_negative, a, 0)), a);
}

// clamp's slope at ±2.5 is that of the inside.
Tensor hard_sigmoid(const Tensor& a) {
  return torch::where(torch::abs(a) >= 2.5, (a > 0).to(a.scalar_type()), 0.2 * a + 0.5);
}

// sin(a)/a, by its series near 0, where the slope of the quotient cancels.
Tensor sinc(const Tensor& a) {
  const Tensor is_near = torch::abs(a) < 0.1;
  const Tensor s = torch::square(masked(is_near, a, 0));
  const Tensor series = 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72)));
  const Tensor safe = masked(~is_near, a, 1);
  return torch::where(is_near, series, torch::sin(safe) / safe);
}

Tensor log_abs_eps(const Tensor& a) { return torch::log(torch::abs(a + kEpsilon)); }

// LibTorch's threshold is 20, where e^-x is still seen in double precision.
Tensor softplus(const Tensor& a) { return torch::softplus(a, 1, 40); }

Tensor div_no_nan(const Tensor& a, const Tensor& b) {
  const Tensor is_zero = b == 0;
  const Tensor quotient = a / masked(~is_zero, b, 1);
  return torch::where(is_zero, torch::zeros({}, quotient.options()), quotient);
}

// The slope with respect to b is 0 for a <= 0; LibTorch's is NaN below 0.
Tensor power(const Tensor& a, const Tensor& b) {
  const Tensor is_positive = a > 0;
  const Tensor is_singular = (a == 0) & (b < 1);
  const Tensor fixed = b.detach();
  const Tensor smooth = torch::pow(masked(is_positive, a, 1), b);
  const Tensor negative = torch::pow(masked(~(is_positive | is_singular), a, 1), fixed);
  return torch::where(is_positive, smooth, torch::where(is_singular, torch::pow(a.detach(), fixed), negative));
}

constexpr auto kRows = std::to_array<TorchOp>({
    {.name = "zero", .unary = [](const Tensor& a) { return torch::zeros_like(a); }},
    {.name = "one", .unary = [](const Tensor& a) { return torch::ones_like(a); }},
    {.name = "identity", .unary = [](const Tensor& a) { return a; }},
    {.name = "negative", .unary = [](const Tensor& a) { return -a; }},
    {.name = "abs", .unary = [](const Tensor& a) { return torch::abs(a); }},
    {.name = "reciprocal", .unary = reciprocal},
    {.name = "square", .unary = [](const Tensor& a) { return a * a; }},
    {.name = "exp", .unary = [](const Tensor& a) { return torch::exp(a); }},
    {.name = "erf", .unary = [](const Tensor& a) { return torch::erf(a); }},
    {.name = "erfc", .unary = [](const Tensor& a) { return torch::erfc(a); }},
    {.name = "sinh", .unary = [](const Tensor& a) { return torch::sinh(a); }},
    {.name = "cosh", .unary = [](const Tensor& a) { return torch::cosh(a); }},
    {.name = "tanh", .unary = [](const Tensor& a) { return torch::tanh(a); }},
    {.name = "expm1", .unary = [](const Tensor& a) { return torch::expm1(a); }},
    {.name = "sigmoid", .unary = [](const Tensor& a) { return torch::sigmoid(a); }},
    {.name = "log_sigmoid", .unary = [](const Tensor& a) { return torch::log_sigmoid(a); }},
    {.name = "arcsinh", .unary = [](const Tensor& a) { return torch::asinh(a); }},
    {.name = "arctan", .unary = [](const Tensor& a) { return torch::atan(a); }},
    {.name = "bessel_i0e", .unary = [](const Tensor& a) { return torch::special_i0e(a); }},
    {.name = "bessel_i1e", .unary = [](const Tensor& a) { return torch::special_i1e(a); }},
    {.name = "relu", .unary = [](const Tensor& a) { return torch::relu(a); }},
    {.name = "elu", .unary = [](const Tensor& a) { return torch::elu(a); }},
    {.name = "selu", .unary = selu},
    {.name = "swish", .unary = [](const Tensor& a) { return torch::silu(a); }},
    {.name = "softplus", .unary = softplus},
    {.name = "softsign", .unary = [](const Tensor& a) { return a / (1 + torch::abs(a)); }},
    {.name = "hard_sigmoid", .unary = hard_sigmoid},
    {.name = "cube", .unary = [](const Tensor& a) { return a * a * a; }},
    {.name = "sqrt", .unary = square_root},
    {.name = "gauss", .unary = [](const Tensor& a) { return torch::exp(-a * a); }},
    {.name = "log_abs_eps", .unary = log_abs_eps},
    {.name = "sin", .unary = [](const Tensor& a) { return torch::sin(a); }},
    {.name = "cos", .unary = [](const Tensor& a) { return torch::cos(a); }},
    {.name = "arctanh", .unary = [](const Tensor& a) { return torch::atanh(a); }},
    {.name = "min0", .unary = [](const Tensor& a) { return -torch::relu(-a); }},
    {.name = "sinc", .unary = sinc},
    {.name = "leaky_relu", .unary = [](const Tensor& a) { return torch::leaky_relu(a, 0.01); }},
    {.name = "gelu", .unary = [](const Tensor& a) { return torch::gelu(a, "tanh"); }},
    {.name = "mish", .unary = [](const Tensor& a) { return torch::mish(a); }},
    {.name = "add", .binary = [](const Tensor& a, const Tensor& b) { return a + b; }},
    {.name = "sub", .binary = [](const Tensor& a, const Tensor& b) { return a - b; }},
    {.name = "mul", .binary = [](const Tensor& a, const Tensor& b) { return a * b; }},
    {.name = "div", .binary = [](const Tensor& a, const Tensor& b) { return a / b; }},
    {.name = "pow", .binary = power},
    {.name = "max", .binary = [](const Tensor& a, const Tensor& b) { return torch::maximum(a, b); }},
    {.name = "min", .binary = [](const Tensor& a, const Tensor& b) { return torch::minimum(a, b); }},
    {.name = "div_no_nan", .binary = div_no_nan},
    {.name = "div_eps", .binary = [](const Tensor& a, const Tensor& b) { return a / (b + kEpsilon); }},
});

const TorchOp& find_row(Op op) {
  for (const TorchOp& row : kRows) {
    if (row.name == op_info(op).name) return row;
  }
  throw Error(ErrorCode::kFailed, "no LibTorch operator for '" + std::string(op_info(op).name) + "'");
}

// Between a variable and a constant the constant takes a tie, and the slope is 0; LibTorch would give half of it to a.
Tensor extremum_with_constant(Op op, const Tensor& a, const Tensor& constant) {
  return torch::where(op == Op::kMax ? a <= constant : a >= constant, constant, a);
}

// Shaped so that LibTorch's rules of broadcasting lay them over x.
std::vector<Tensor> broadcastable(std::span<const Parameter> parameters, const OperatorsCall& call) {
  std::vector<Tensor> list(call.parameters.begin(), call.parameters.end());
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].scope != Scope::kChannel) continue;
    std::vector<std::int64_t> shape(static_cast<std::size_t>(call.x.dim() - 1 - call.channel_axis), 1);
    shape[0] = -1;
    list[k] = list[k].reshape(shape);
  }
  return list;
}

class Evaluation {
 public:
  Evaluation(const Graph& graph, const OperatorsCall& call)
      : graph_(graph), x_(call.x), parameters_(broadcastable(graph.parameters(), call)) {}

  Tensor run() {
    for (const GraphNode& node : graph_.nodes()) made_.push_back(value(node));
    return made_[graph_.root()];
  }

 private:
  bool is_constant(NodeId id) const { return graph_.node(id).kind == NodeKind::kConstant; }

  Tensor value(const GraphNode& node) const {
    switch (node.kind) {
      case NodeKind::kInput: return x_;
      case NodeKind::kConstant: return torch::full({}, node.constant, x_.options());
      case NodeKind::kParameter: return parameters_[node.slot] * made_[node.args[0]];
      case NodeKind::kOperator: break;
    }
    const Op op = binary_step(node.op);
    const TorchOp& row = find_row(op);
    if (row.unary != nullptr) return row.unary(made_[node.args[0]]);
    Tensor total = made_[node.args[0]];
    bool total_is_constant = is_constant(node.args[0]);
    for (std::size_t i = 1; i < node.args.size(); ++i) {
      const Tensor& next = made_[node.args[i]];
      const bool next_is_constant = is_constant(node.args[i]);
      const bool is_extremum = op == Op::kMax || op == Op::kMin;
      if (is_extremum && total_is_constant != next_is_constant) {
        total = total_is_constant ? extremum_with_constant(op, next, total) : extremum_with_constant(op, total, next);
      } else {
        total = row.binary(total, next);
      }
      total_is_constant = total_is_constant && next_is_constant;
    }
    return total;
  }

  const Graph& graph_;
  const Tensor& x_;
  std::vector<Tensor> parameters_;
  std::vector<Tensor> made_;
};

}  // namespace

std::span<const TorchOp> torch_ops() { return kRows; }

Tensor run_operators(const Graph& graph, const OperatorsCall& call) {
  const Tensor y = Evaluation(graph, call).run();
  // A function of the parameters alone still has a value per element.
  return y.sizes() == call.x.sizes() ? y : torch::empty_like(call.x).copy_(y);
}

}  // namespace actforge
