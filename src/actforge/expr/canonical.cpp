// Rewrites an expression bottom up into a graph without duplicates. Every rule below holds exactly in floating point;
// those that can turn -0 into +0 are left out where an operator could tell the difference.
#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "actforge/base/error.h"
#include "actforge/expr/graph.h"

namespace actforge {

class Canonicalizer {
 public:
  Canonicalizer(const Expr& expr, bool zero_sign_matters) : expr_(expr), zero_sign_matters_(zero_sign_matters) {
    graph_.parameters_ = all_parameters(expr);
    next_slot_ = static_cast<std::uint32_t>(expr.parameters().size());
  }

  Graph run() {
    const NodeId x = intern({.kind = NodeKind::kInput});
    graph_.root_ = convert(expr_, x, [&](std::uint32_t index) { return own_slot(index); });
    drop_unused();
    return std::move(graph_);
  }

 private:
  using Args = std::vector<NodeId>;

  // ---- from the tree

  std::uint32_t own_slot(std::uint32_t index) const {
    const auto found = std::ranges::find(expr_.parameters(), index, &Parameter::index);
    return static_cast<std::uint32_t>(found - expr_.parameters().begin());
  }

  template <class SlotOf>
  NodeId convert(const Expr& expr, NodeId x, SlotOf slot_of) {
    std::vector<NodeId> made(expr.nodes().size());
    for (NodeId id = 0; id < expr.nodes().size(); ++id) {
      const Node& node = expr.node(id);
      Args args;
      for (const NodeId child : expr.children(id)) args.push_back(made[child]);
      switch (node.kind) {
        case NodeKind::kInput: made[id] = x; break;
        case NodeKind::kConstant: made[id] = constant(node.constant); break;
        case NodeKind::kParameter: made[id] = parameter(slot_of(node.parameter), args[0]); break;
        case NodeKind::kOperator: made[id] = operation(node.op, std::move(args)); break;
      }
    }
    return made.back();
  }

  NodeId operation(Op op, Args args) {
    const Expr* body = definition_of(op);
    if (body == nullptr) return make(op, std::move(args));
    const std::uint32_t first = next_slot_;
    next_slot_ += static_cast<std::uint32_t>(body->parameters().size());
    return convert(*body, args[0], [&](std::uint32_t index) {
      const auto found = std::ranges::find(body->parameters(), index, &Parameter::index);
      return first + static_cast<std::uint32_t>(found - body->parameters().begin());
    });
  }

  // ---- the graph

  NodeId intern(GraphNode node) {
    if (graph_.nodes_.size() >= 64 * kMaxNodes)
      throw Error(ErrorCode::kBadInput, "expression too large after expansion");
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(node.kind));
    if (node.kind == NodeKind::kOperator) hasher.add(op_info(node.op).name);  // names, not numbers: hashes are stored
    if (node.kind == NodeKind::kConstant) hasher.add(std::bit_cast<std::uint64_t>(node.constant));
    if (node.kind == NodeKind::kParameter) {
      const Parameter& p = graph_.parameters_[node.slot];
      hasher.add(p.index).add(std::bit_cast<std::uint64_t>(p.initial)).add(static_cast<std::uint64_t>(p.scope));
    }
    for (const NodeId arg : node.args) hasher.add(graph_.nodes_[arg].hash);
    node.hash = hasher.finish();
    const auto [place, is_new] = known_.try_emplace(node.hash, static_cast<NodeId>(graph_.nodes_.size()));
    if (is_new) graph_.nodes_.push_back(std::move(node));
    return place->second;
  }

  NodeId constant(double value) {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    return intern({.kind = NodeKind::kConstant, .constant = value});
  }

  NodeId parameter(std::uint32_t slot, NodeId child) {
    if (is(child, Op::kNegative)) return negative(parameter(slot, arg(child, 0)));
    return intern({.kind = NodeKind::kParameter, .slot = slot, .args = {child}});
  }

  NodeId plain(Op op, Args args) { return intern({.kind = NodeKind::kOperator, .op = op, .args = std::move(args)}); }

  const GraphNode& at(NodeId id) const { return graph_.nodes_[id]; }
  NodeId arg(NodeId id, std::size_t i) const { return at(id).args[i]; }
  bool is(NodeId id, Op op) const { return at(id).kind == NodeKind::kOperator && at(id).op == op; }
  bool is_constant(NodeId id) const { return at(id).kind == NodeKind::kConstant; }
  // Bit for bit: -0 is not 0.
  bool is_value(NodeId id, double value) const {
    return is_constant(id) && std::bit_cast<std::uint64_t>(at(id).constant) == std::bit_cast<std::uint64_t>(value);
  }
  bool is_zero(NodeId id) const { return is_constant(id) && at(id).constant == 0; }
  bool is_nonnegative(NodeId id) const { return at(id).kind == NodeKind::kOperator && op_info(at(id).op).nonnegative; }

  void sort(Args& args) const {
    std::ranges::sort(args, [&](NodeId a, NodeId b) {
      // Constants first, then x, parameters and operators; the hash settles the rest the same way everywhere.
      const auto key = [&](NodeId id) {
        const GraphNode& node = at(id);
        return std::tuple(node.kind != NodeKind::kConstant, node.kind,
                          node.kind == NodeKind::kOperator ? node.op : Op{}, node.hash);
      };
      return key(a) < key(b);
    });
  }

  // ---- rules

  NodeId make(Op op, Args args) {
    if (op == Op::kZero) return constant(0);
    if (op == Op::kOne) return constant(1);
    if (op == Op::kIdentity) return args[0];
    if (std::ranges::all_of(args, [&](NodeId id) { return is_constant(id); })) return fold(op, args);
    switch (op) {
      case Op::kNegative: return negative(args[0]);
      case Op::kAdd: return add(args[0], args[1]);
      case Op::kSub: return sub(args[0], args[1]);
      case Op::kMul: return mul(args[0], args[1]);
      case Op::kDiv: return div(args[0], args[1]);
      case Op::kDivNoNan:
        return is_constant(args[1]) && !is_zero(args[1]) ? div(args[0], args[1]) : quotient(op, args[0], args[1]);
      case Op::kDivEps:
        return is(args[0], Op::kNegative) ? negative(make(op, {arg(args[0], 0), args[1]})) : plain(op, args);
      case Op::kPow: return pow(args[0], args[1]);
      case Op::kMax:
      case Op::kMaxN: return extremum(true, args);
      case Op::kMin:
      case Op::kMinN: return extremum(false, args);
      case Op::kSumN:
      case Op::kProdN: return chain(op, std::move(args));
      default: return unary(op, args[0]);
    }
  }

  NodeId fold(Op op, const Args& args) {
    const OpInfo& info = op_info(op);
    if (info.arity == 1) return constant(info.value(at(args[0]).constant));
    // Sorted by value, as the reference adds and multiplies them: any order of the arguments gives the same bits.
    std::vector<double> values;
    for (const NodeId id : args) values.push_back(at(id).constant);
    if (info.arity == kVariadic)
      std::ranges::sort(values, [](double a, double b) { return std::strong_order(a, b) < 0; });
    double value = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) value = info.value2(value, values[i]);
    return constant(value);
  }

  NodeId unary(Op op, NodeId a) {
    const OpInfo& info = op_info(op);
    if (info.parity == Parity::kOdd && is(a, Op::kNegative)) return negative(make(op, {arg(a, 0)}));
    if (info.parity == Parity::kEven && (is(a, Op::kNegative) || is(a, Op::kAbs))) return make(op, {arg(a, 0)});
    // log σ(x) is computed as -softplus(-x).
    if (op == Op::kLogSigmoid && is(a, Op::kNegative)) return negative(make(Op::kSoftplus, {arg(a, 0)}));
    if (op == Op::kSoftplus && is(a, Op::kNegative)) return negative(make(Op::kLogSigmoid, {arg(a, 0)}));
    const bool passes_nonnegative = op == Op::kAbs || op == Op::kRelu || op == Op::kElu || op == Op::kLeakyRelu;
    if (passes_nonnegative && is_nonnegative(a)) return a;
    if (op == Op::kRelu) return extremum(true, {a, constant(0)});
    if (op == Op::kMin0) return extremum(false, {a, constant(0)});
    return plain(op, {a});
  }

  NodeId negative(NodeId a) {
    if (is_constant(a)) return constant(-at(a).constant);
    if (is(a, Op::kNegative)) return arg(a, 0);
    if (is(a, Op::kSub) && !zero_sign_matters_) return sub(arg(a, 1), arg(a, 0));
    if (is(a, Op::kMul) && is_constant(arg(a, 0))) return mul(constant(-at(arg(a, 0)).constant), arg(a, 1));
    return plain(Op::kNegative, {a});
  }

  NodeId add(NodeId a, NodeId b) {
    if (is(b, Op::kNegative)) return sub(a, arg(b, 0));
    if (is(a, Op::kNegative)) return sub(b, arg(a, 0));
    Args args = {a, b};
    sort(args);  // constants come first
    if (is_value(args[0], -0.0) || (is_zero(args[0]) && !zero_sign_matters_)) return args[1];
    return plain(Op::kAdd, std::move(args));
  }

  NodeId sub(NodeId a, NodeId b) {
    if (is(b, Op::kNegative)) return add(a, arg(b, 0));
    if (is_value(b, 0.0) || (is_zero(b) && !zero_sign_matters_)) return a;
    if (is_value(a, -0.0) || (is_zero(a) && !zero_sign_matters_)) return negative(b);
    return plain(Op::kSub, {a, b});
  }

  NodeId mul(NodeId a, NodeId b) {
    if (is(a, Op::kNegative)) return negative(mul(arg(a, 0), b));
    if (is(b, Op::kNegative)) return negative(mul(a, arg(b, 0)));
    Args args = {a, b};
    sort(args);
    if (is_value(args[0], 1)) return args[1];
    if (is_value(args[0], -1)) return negative(args[1]);
    if (args[0] == args[1]) return make(Op::kSquare, {args[0]});
    for (const auto& [s, t] : {std::pair(args[0], args[1]), std::pair(args[1], args[0])}) {
      if (is(s, Op::kSquare) && arg(s, 0) == t) return make(Op::kCube, {t});  // x³ is computed as (x·x)·x
    }
    return plain(Op::kMul, std::move(args));
  }

  NodeId div(NodeId a, NodeId b) {
    if (is_value(b, 1)) return a;
    if (is_value(b, -1)) return negative(a);
    if (is_value(a, 1)) return make(Op::kReciprocal, {b});
    if (is_constant(b)) {
      // Division by a power of two is exact, and so is multiplication by its reciprocal.
      int exponent = 0;
      const double c = at(b).constant;
      if (std::isfinite(c) && std::fabs(std::frexp(c, &exponent)) == 0.5 && std::abs(exponent) < 1000)
        return mul(constant(1 / c), a);
    }
    return quotient(Op::kDiv, a, b);
  }

  NodeId quotient(Op op, NodeId a, NodeId b) {
    if (is(a, Op::kNegative)) return negative(make(op, {arg(a, 0), b}));
    if (is(b, Op::kNegative)) return negative(make(op, {a, arg(b, 0)}));
    return plain(op, {a, b});
  }

  NodeId pow(NodeId a, NodeId b) {
    if (is_zero(b)) return constant(1);
    if (is_value(a, 1)) return constant(1);
    if (is_value(b, 1)) return a;
    if (is_value(b, 2)) return make(Op::kSquare, {a});
    if (is_value(b, -1)) return make(Op::kReciprocal, {a});
    return plain(Op::kPow, {a, b});
  }

  // max and min are associative, commutative and idempotent also in floating point; relu is max with 0.
  NodeId extremum(bool maximum, const Args& given) {
    const Op two = maximum ? Op::kMax : Op::kMin, many = maximum ? Op::kMaxN : Op::kMinN;
    const Op with_zero = maximum ? Op::kRelu : Op::kMin0;
    Args args;
    double folded = 0;
    bool has_constant = false;
    const auto take_constant = [&](double value) {
      folded = has_constant ? op_info(two).value2(folded, value) : value;
      has_constant = true;
    };
    for (const NodeId id : given) {
      if (is_constant(id)) {
        take_constant(at(id).constant);
      } else if (is(id, two) || is(id, many)) {
        for (const NodeId inner : at(id).args) {
          is_constant(inner) ? take_constant(at(inner).constant) : args.push_back(inner);
        }
      } else if (is(id, with_zero)) {
        args.push_back(arg(id, 0));
        take_constant(0);
      } else {
        args.push_back(id);
      }
    }
    sort(args);
    args.erase(std::unique(args.begin(), args.end()), args.end());
    if (has_constant && std::isnan(folded)) return constant(folded);
    if (has_constant && args.size() == 1 && std::bit_cast<std::uint64_t>(folded) == 0) {
      return maximum && is_nonnegative(args[0]) ? args[0] : plain(with_zero, args);
    }
    if (has_constant) args.insert(args.begin(), constant(folded));
    if (args.size() == 1) return args[0];
    return plain(args.size() == 2 ? two : many, args);
  }

  NodeId chain(Op op, Args args) {
    if (args.size() == 1) return args[0];
    if (args.size() == 2) return make(op == Op::kSumN ? Op::kAdd : Op::kMul, args);
    sort(args);
    return plain(op, std::move(args));
  }

  // Rules leave nodes behind that nothing uses any more.
  void drop_unused() {
    std::vector<bool> used(graph_.nodes_.size());
    used[graph_.root_] = true;
    for (NodeId id = graph_.root_ + 1; id-- > 0;) {
      if (!used[id]) continue;
      for (const NodeId a : at(id).args) used[a] = true;
    }
    std::vector<NodeId> renamed(graph_.nodes_.size());
    std::vector<GraphNode> kept;
    for (NodeId id = 0; id <= graph_.root_; ++id) {
      if (!used[id]) continue;
      renamed[id] = static_cast<NodeId>(kept.size());
      for (NodeId& a : graph_.nodes_[id].args) a = renamed[a];
      kept.push_back(std::move(graph_.nodes_[id]));
    }
    graph_.root_ = renamed[graph_.root_];
    graph_.nodes_ = std::move(kept);
  }

  const Expr& expr_;
  Graph graph_;
  std::unordered_map<Hash128, NodeId> known_;
  std::uint32_t next_slot_ = 0;
  bool zero_sign_matters_;
};

namespace {

bool can_tell_zeros_apart(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const GraphNode& node) {
    return node.kind == NodeKind::kOperator &&
           (node.op == Op::kReciprocal || node.op == Op::kDiv || node.op == Op::kPow);
  });
}

}  // namespace

Graph canonical(const Expr& expr) {
  Graph graph = Canonicalizer(expr, true).run();
  return can_tell_zeros_apart(graph) ? graph : Canonicalizer(expr, false).run();
}

}  // namespace actforge
