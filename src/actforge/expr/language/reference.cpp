#include "actforge/expr/language/reference.h"

#include <algorithm>
#include <compare>

#include "actforge/base/error.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/ops/constant_value.h"

namespace actforge {
namespace {

constexpr std::size_t kNoParameter = static_cast<std::size_t>(-1);

// Forward-mode differentiation along one direction: x, or one parameter.
struct Dual {
  double value = 0;
  double slope = 0;
  bool is_constant = false;  // depends on neither x nor a parameter
};

// A locally constant factor wins against an infinite slope: sqrt(relu(x)) has slope 0 for x < 0.
double chained(double outer, double inner) { return outer == 0 || inner == 0 ? 0 : outer * inner; }

class Evaluation {
 public:
  Evaluation(std::span<const double> parameter_values, std::size_t direction)
      : parameter_values_(parameter_values), direction_(direction) {}

  // `first_own` is the place of the expression's own parameters; those of its named functions follow `next_`.
  Dual run(const Expr& expr, const Dual& x, std::size_t first_own) {
    std::vector<Dual> made(expr.nodes().size());
    for (NodeId id = 0; id < expr.nodes().size(); ++id) {
      const Node& node = expr.node(id);
      const auto children = expr.children(id);
      switch (node.kind) {
        case NodeKind::kInput: made[id] = x; break;
        case NodeKind::kConstant: made[id] = {node.constant, 0, true}; break;
        case NodeKind::kParameter: {
          const auto found = std::ranges::lower_bound(expr.parameters(), node.parameter, {}, &Parameter::index);
          made[id] =
              parameter(first_own + static_cast<std::size_t>(found - expr.parameters().begin()), made[children[0]]);
          break;
        }
        case NodeKind::kOperator: {
          arguments_.clear();
          for (const NodeId child : children) arguments_.push_back(made[child]);
          made[id] = operation(node.op);
          break;
        }
      }
    }
    return made.back();
  }

  std::size_t next_ = 0;

 private:
  Dual parameter(std::size_t place, const Dual& child) const {
    const double p = parameter_values_[place];
    return {p * child.value, chained(p, child.slope) + (place == direction_ ? child.value : 0), false};
  }

  Dual operation(Op op) {
    if (const Expr* body = definition_of(op)) {
      const Dual argument = arguments_[0];
      const std::size_t first = next_;
      next_ += body->parameters().size();
      return run(*body, argument, first);
    }
    const OpInfo& info = op_info(op);
    const Dual& a = arguments_[0];
    if (info.arity == 1)
      return {a.is_constant ? constant_value(info, a.value) : info.value(a.value),
              chained(info.slope(a.value), a.slope), a.is_constant || op == Op::kZero || op == Op::kOne};
    // Sorted by value, so that the order of the arguments of an n-ary operator cannot change the last bit.
    if (info.arity == kVariadic) {
      std::ranges::sort(arguments_,
                        [](const Dual& p, const Dual& q) { return std::strong_order(p.value, q.value) < 0; });
    }
    Dual total = a;
    for (std::size_t i = 1; i < arguments_.size(); ++i) total = combine(op, info, total, arguments_[i]);
    return total;
  }

  // a^0 and 1^b, which the canonical form knows too.
  static bool is_one_everywhere(const Dual& a, const Dual& b) {
    return (b.is_constant && b.value == 0) || (a.is_constant && a.value == 1);
  }

  static Dual combine(Op op, const OpInfo& info, const Dual& a, const Dual& b) {
    Slopes slopes = info.slope2(a.value, b.value);
    const bool is_extremum = op == Op::kMax || op == Op::kMin || op == Op::kMaxN || op == Op::kMinN;
    if (is_extremum && a.value == b.value && (a.is_constant || b.is_constant)) slopes = {0, 0};
    const bool both_constant = a.is_constant && b.is_constant;
    return {both_constant ? constant_value(info, a.value, b.value) : info.value2(a.value, b.value),
            chained(slopes.first, a.slope) + chained(slopes.second, b.slope),
            both_constant || (op == Op::kPow && is_one_everywhere(a, b))};
  }

  std::span<const double> parameter_values_;
  std::size_t direction_;
  std::vector<Dual> arguments_;
};

}  // namespace

Reference::Reference(Expr expr) : expr_(std::move(expr)), parameters_(all_parameters(expr_)) {
  for (const Parameter& parameter : parameters_) values_.push_back(parameter.initial);
}

ValueAndSlope Reference::at(double x) const {
  Evaluation evaluation(values_, kNoParameter);
  evaluation.next_ = expr_.parameters().size();
  const Dual y = evaluation.run(expr_, {x, 1, false}, 0);
  return {y.value, y.slope};
}

ValueAndSlope Reference::at(double x, std::size_t parameter) const {
  Evaluation evaluation(values_, parameter);
  evaluation.next_ = expr_.parameters().size();
  const Dual y = evaluation.run(expr_, {x, 0, false}, 0);
  return {y.value, y.slope};
}

void Reference::set_parameter(std::size_t place, double value) {
  if (place >= values_.size()) throw Error(ErrorCode::kBadInput, "no such parameter");
  values_[place] = value;
}

}  // namespace actforge
