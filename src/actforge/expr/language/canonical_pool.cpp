// Rewrites expressions bottom up into a graph without duplicates. Every rule below holds exactly in floating point;
// those that can turn -0 into +0 are left out where an operator could tell the difference.
#include "actforge/expr/language/canonical_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>

#include "actforge/base/error.h"
#include "actforge/expr/ops/constant_value.h"

namespace actforge {
namespace {

// The beginning of an operator node's hash. By name, not by number: hashes are stored.
const Hasher& operator_hasher(Op op) {
  static const auto hashers = [] {
    std::array<Hasher, kMostOps> list;
    for (const OpInfo& row : op_table()) {
      list[static_cast<std::size_t>(row.op)].add(static_cast<std::uint64_t>(NodeKind::kOperator)).add(row.name);
    }
    return list;
  }();
  return hashers[static_cast<std::size_t>(op)];
}

}  // namespace

// ---- from the tree

template <class SlotOf>
NodeId CanonicalPool::convert(const Expr& expr, NodeId x, std::uint32_t& next_slot, SlotOf slot_of) {
  std::vector<NodeId> made(expr.nodes().size());
  for (NodeId id = 0; id < expr.nodes().size(); ++id) {
    const Node& node = expr.node(id);
    Args args;
    for (const NodeId child : expr.children(id)) args.push_back(made[child]);
    switch (node.kind) {
      case NodeKind::kInput: made[id] = x; break;
      case NodeKind::kConstant: made[id] = constant(node.constant); break;
      case NodeKind::kParameter: made[id] = parameter(slot_of(node.parameter), args[0]); break;
      case NodeKind::kOperator: {
        made[id] = apply(node.op, std::move(args), next_slot);
        const Expr* body = definition_of(node.op);
        if (body != nullptr) next_slot += static_cast<std::uint32_t>(body->parameters().size());
        break;
      }
    }
  }
  return made.back();
}

namespace {

std::uint32_t slot_in(const Expr& expr, std::uint32_t index) {
  const auto found = std::ranges::find(expr.parameters(), index, &Parameter::index);
  return static_cast<std::uint32_t>(found - expr.parameters().begin());
}

}  // namespace

NodeId CanonicalPool::convert(const Expr& expr) {
  auto next_slot = static_cast<std::uint32_t>(expr.parameters().size());
  return convert(expr, input(), next_slot, [&](std::uint32_t index) { return slot_in(expr, index); });
}

NodeId CanonicalPool::apply(Op op, Args args, std::uint32_t first_slot) {
  const Expr* body = definition_of(op);
  if (body == nullptr) return make(op, std::move(args));
  // Definitions hold operators alone, so no further slots are taken.
  std::uint32_t next_slot = first_slot;
  return convert(*body, args[0], next_slot, [&](std::uint32_t index) { return first_slot + slot_in(*body, index); });
}

// ---- the graph

NodeId CanonicalPool::intern(GraphNode node) {
  if (nodes_.size() >= kLargestPool) throw Error(ErrorCode::kBadInput, "expression too large after expansion");
  Hasher hasher = operator_hasher(node.op);
  if (node.kind != NodeKind::kOperator) hasher = Hasher().add(static_cast<std::uint64_t>(node.kind));
  if (node.kind == NodeKind::kConstant) hasher.add(std::bit_cast<std::uint64_t>(node.constant));
  if (node.kind == NodeKind::kParameter) {
    const Parameter& p = parameters_[node.slot];
    hasher.add(p.index).add(std::bit_cast<std::uint64_t>(p.initial)).add(static_cast<std::uint64_t>(p.scope));
  }
  for (const NodeId arg : node.args) hasher.add(nodes_[arg].hash);
  node.hash = hasher.finish();
  const auto id = static_cast<NodeId>(nodes_.size());
  if (const NodeId found = known_.insert(node.hash, id); found != id) return found;
  const bool own =
      node.kind == NodeKind::kOperator && (node.op == Op::kReciprocal || node.op == Op::kDiv || node.op == Op::kPow);
  tells_zeros_apart_.push_back(own || std::ranges::any_of(node.args, [&](NodeId a) { return tells_zeros_apart(a); }));
  nodes_.push_back(std::move(node));
  return id;
}

void CanonicalPool::truncate(std::size_t size) {
  for (std::size_t id = size; id < nodes_.size(); ++id) known_.erase(nodes_[id].hash);
  nodes_.resize(std::min(size, nodes_.size()));
  tells_zeros_apart_.resize(nodes_.size());
}

// Rules leave nodes behind that nothing uses any more; they stay here.
Graph CanonicalPool::extract(NodeId root) const {
  std::vector<bool> used(root + 1);
  used[root] = true;
  for (NodeId id = root + 1; id-- > 0;) {
    if (!used[id]) continue;
    for (const NodeId a : at(id).args) used[a] = true;
  }
  Graph graph;
  std::vector<NodeId> renamed(root + 1);
  for (NodeId id = 0; id <= root; ++id) {
    if (!used[id]) continue;
    renamed[id] = static_cast<NodeId>(graph.nodes_.size());
    graph.nodes_.push_back(nodes_[id]);
    for (NodeId& a : graph.nodes_.back().args) a = renamed[a];
  }
  graph.root_ = renamed[root];
  graph.parameters_ = parameters_;
  return graph;
}

NodeId CanonicalPool::constant(double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return intern({.kind = NodeKind::kConstant, .constant = value});
}

NodeId CanonicalPool::parameter(std::uint32_t slot, NodeId child) {
  if (is(child, Op::kNegative)) return negative(parameter(slot, arg(child, 0)));
  return intern({.kind = NodeKind::kParameter, .slot = slot, .args = {child}});
}

bool CanonicalPool::is_value(NodeId id, double value) const {
  return is_constant(id) && std::bit_cast<std::uint64_t>(at(id).constant) == std::bit_cast<std::uint64_t>(value);
}

void CanonicalPool::sort(Args& args) const {
  std::ranges::sort(args, [&](NodeId a, NodeId b) {
    // Constants first, then x, parameters and operators; the hash settles the rest the same way everywhere.
    const auto key = [&](NodeId id) {
      const GraphNode& node = at(id);
      return std::tuple(node.kind != NodeKind::kConstant, node.kind, node.kind == NodeKind::kOperator ? node.op : Op{},
                        node.hash);
    };
    return key(a) < key(b);
  });
}

// ---- rules

NodeId CanonicalPool::make(Op op, Args args) {
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

NodeId CanonicalPool::fold(Op op, const Args& args) {
  const OpInfo& info = op_info(op);
  if (info.arity == 1) return constant(constant_value(info, at(args[0]).constant));
  // Sorted by value, as the reference adds and multiplies them: any order of the arguments gives the same bits.
  std::vector<double> values;
  for (const NodeId id : args) values.push_back(at(id).constant);
  if (info.arity == kVariadic)
    std::ranges::sort(values, [](double a, double b) { return std::strong_order(a, b) < 0; });
  double value = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) value = constant_value(info, value, values[i]);
  return constant(value);
}

NodeId CanonicalPool::unary(Op op, NodeId a) {
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

NodeId CanonicalPool::negative(NodeId a) {
  if (is_constant(a)) return constant(-at(a).constant);
  if (is(a, Op::kNegative)) return arg(a, 0);
  if (is(a, Op::kSub) && !zero_sign_matters_) return sub(arg(a, 1), arg(a, 0));
  if (is(a, Op::kMul) && is_constant(arg(a, 0))) return mul(constant(-at(arg(a, 0)).constant), arg(a, 1));
  return plain(Op::kNegative, {a});
}

NodeId CanonicalPool::add(NodeId a, NodeId b) {
  if (is(b, Op::kNegative)) return sub(a, arg(b, 0));
  if (is(a, Op::kNegative)) return sub(b, arg(a, 0));
  Args args = {a, b};
  sort(args);  // constants come first
  if (is_value(args[0], -0.0) || (is_zero(args[0]) && !zero_sign_matters_)) return args[1];
  return plain(Op::kAdd, std::move(args));
}

NodeId CanonicalPool::sub(NodeId a, NodeId b) {
  if (is(b, Op::kNegative)) return add(a, arg(b, 0));
  if (is_value(b, 0.0) || (is_zero(b) && !zero_sign_matters_)) return a;
  if (is_value(a, -0.0) || (is_zero(a) && !zero_sign_matters_)) return negative(b);
  return plain(Op::kSub, {a, b});
}

NodeId CanonicalPool::mul(NodeId a, NodeId b) {
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

NodeId CanonicalPool::div(NodeId a, NodeId b) {
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

NodeId CanonicalPool::quotient(Op op, NodeId a, NodeId b) {
  // div_no_nan(-a, 0) is +0, where -div_no_nan(a, 0) would be -0.
  if (op == Op::kDivNoNan && zero_sign_matters_) return plain(op, {a, b});
  if (is(a, Op::kNegative)) return negative(make(op, {arg(a, 0), b}));
  if (is(b, Op::kNegative)) return negative(make(op, {a, arg(b, 0)}));
  return plain(op, {a, b});
}

NodeId CanonicalPool::pow(NodeId a, NodeId b) {
  if (is_zero(b)) return constant(1);
  if (is_value(a, 1)) return constant(1);
  if (is_value(b, 1)) return a;
  if (is_value(b, 2)) return make(Op::kSquare, {a});
  if (is_value(b, -1)) return make(Op::kReciprocal, {a});
  return plain(Op::kPow, {a, b});
}

// max and min are associative, commutative and idempotent also in floating point; relu is max with 0.
NodeId CanonicalPool::extremum(bool maximum, const Args& given) {
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

NodeId CanonicalPool::chain(Op op, Args args) {
  if (args.size() == 1) return args[0];
  if (args.size() == 2) return make(op == Op::kSumN ? Op::kAdd : Op::kMul, args);
  sort(args);
  return plain(op, std::move(args));
}

Graph canonical(const Expr& expr) {
  const std::vector<Parameter> parameters = all_parameters(expr);
  CanonicalPool exact(true, parameters);
  const NodeId root = exact.convert(expr);
  if (exact.tells_zeros_apart(root)) return exact.extract(root);
  CanonicalPool pool(false, parameters);
  return pool.extract(pool.convert(expr));
}

}  // namespace actforge
