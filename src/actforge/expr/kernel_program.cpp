#include "actforge/expr/kernel_program.h"

#include <algorithm>

namespace actforge {
namespace {

// The graph with n-ary operators split into binary ones, and parameters as products.
struct TapeNode {
  NodeKind kind;
  Op op;
  double constant;
  std::uint32_t slot;
  NodeId a = 0, b = 0;
  int arity = 0;
};

Op binary_step(Op op) {
  switch (op) {
    case Op::kSumN: return Op::kAdd;
    case Op::kProdN: return Op::kMul;
    case Op::kMaxN: return Op::kMax;
    case Op::kMinN: return Op::kMin;
    default: return op;
  }
}

std::vector<TapeNode> make_tape(const Graph& graph) {
  std::vector<TapeNode> tape;
  std::vector<NodeId> made(graph.nodes().size());
  const auto push = [&](const TapeNode& node) {
    tape.push_back(node);
    return static_cast<NodeId>(tape.size() - 1);
  };
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const GraphNode& node = graph.node(id);
    TapeNode out{.kind = node.kind, .op = binary_step(node.op), .constant = node.constant, .slot = node.slot};
    if (!node.args.empty()) out.a = made[node.args[0]], out.arity = 1;
    if (node.args.size() < 2) {
      made[id] = push(out);
      continue;
    }
    out.arity = 2;
    for (std::size_t i = 1; i < node.args.size(); ++i) {
      out.b = made[node.args[i]];
      out.a = push(out);
    }
    made[id] = out.a;
  }
  return tape;
}

class Compiler {
 public:
  explicit Compiler(const Graph& graph)
      : tape_(make_tape(graph)),
        root_(static_cast<NodeId>(tape_.size() - 1)),
        value_(tape_.size(), kNoRegister),
        uses_(tape_.size()) {
    // The root is the last node of the graph, so the last of the tape as well.
    for (const TapeNode& node : tape_) {
      if (node.arity >= 1) ++uses_[node.a];
      if (node.arity == 2) ++uses_[node.b];
    }
  }

  KernelProgram forward() {
    std::vector<NodeId> last_use(tape_.size(), 0);
    for (NodeId id = 0; id < tape_.size(); ++id) {
      if (tape_[id].arity >= 1) last_use[tape_[id].a] = id;
      if (tape_[id].arity == 2) last_use[tape_[id].b] = id;
    }
    for (NodeId id = 0; id < tape_.size(); ++id) {
      const TapeNode& node = tape_[id];
      if (leaf(id)) continue;
      const Register a = value_[node.a];
      const Register b = node.kind == NodeKind::kParameter ? parameter_register(node.slot)
                         : node.arity == 2                 ? value_[node.b]
                                                           : kNoRegister;
      // An argument's block is free once its last user has read it; the result may go right there.
      release(node.a, id, last_use);
      if (node.arity == 2 && node.b != node.a) release(node.b, id, last_use);
      value_[id] = id == root_ ? kRegisterResult : allocate();
      program_.steps.push_back({.action = Action::kValue, .op = operation(node), .y = value_[id], .a = a, .b = b});
    }
    if (tape_[root_].arity == 0)
      program_.steps.push_back({.action = Action::kCopy, .y = kRegisterResult, .a = value_[root_]});
    return std::move(program_);
  }

  KernelProgram backward() {
    find_active();
    find_needed_values();
    slopes_.resize(tape_.size(), {kNoRegister, kNoRegister});
    adjoint_.resize(tape_.size(), kNoRegister);
    for (NodeId id = 0; id < tape_.size(); ++id) {
      if (!leaf(id)) evaluate(id);
    }
    adjoint_[root_] = kRegisterGradY;
    if (tape_[root_].kind == NodeKind::kInput) {
      program_.steps.push_back({.action = Action::kCopy, .y = kRegisterResult, .a = kRegisterGradY});
      input_started_ = true;
    }
    for (NodeId id = root_ + 1; id-- > 0;) {
      if (active_[id] && tape_[id].arity > 0) pull(id);
    }
    if (!input_started_) {  // the function does not depend on x
      program_.steps.push_back({.action = Action::kCopy, .y = kRegisterResult, .a = constant_register(0)});
    }
    return std::move(program_);
  }

 private:
  static Op operation(const TapeNode& node) { return node.kind == NodeKind::kParameter ? Op::kMul : node.op; }

  bool leaf(NodeId id) {
    const TapeNode& node = tape_[id];
    if (node.kind == NodeKind::kInput) value_[id] = kRegisterX;
    if (node.kind == NodeKind::kConstant) value_[id] = constant_register(node.constant);
    return node.arity == 0;
  }

  Register allocate() {
    if (!free_.empty()) {
      const Register reused = free_.back();
      free_.pop_back();
      return reused;
    }
    return kFirstScratch + program_.scratch_count++;
  }

  void release(NodeId node, NodeId user, const std::vector<NodeId>& last_use) {
    if (last_use[node] == user && tape_[node].arity > 0) free_.push_back(value_[node]);
  }

  Register constant_register(double value) {
    // Never from the free list: the block keeps its content for the whole call.
    const Register target = kFirstScratch + program_.scratch_count++;
    program_.constants.push_back({target, static_cast<float>(value)});
    return target;
  }

  Register parameter_register(std::uint32_t slot) {
    const auto known = std::ranges::find(program_.parameters, slot, &KernelProgram::ParameterUse::slot);
    if (known != program_.parameters.end()) return known->target;
    const Register target = kFirstScratch + program_.scratch_count++;
    program_.parameters.push_back({target, slot});
    return target;
  }

  // ---- backward

  void find_active() {  // depends on x or a parameter
    active_.resize(tape_.size());
    for (NodeId id = 0; id < tape_.size(); ++id) {
      const TapeNode& node = tape_[id];
      active_[id] = node.kind == NodeKind::kInput || node.kind == NodeKind::kParameter ||
                    (node.arity >= 1 && active_[node.a]) || (node.arity == 2 && active_[node.b]);
    }
  }

  void find_needed_values() {  // sums do not look at their arguments, and nothing looks at the root
    needed_.resize(tape_.size());
    for (NodeId id = root_ + 1; id-- > 0;) {
      const TapeNode& node = tape_[id];
      const bool is_sum = node.kind == NodeKind::kOperator && (node.op == Op::kAdd || node.op == Op::kSub);
      const bool looks = needed_[id] || !is_sum;
      if (node.arity >= 1 && looks) needed_[node.a] = true;
      if (node.arity == 2 && looks) needed_[node.b] = true;
    }
  }

  void evaluate(NodeId id) {
    const TapeNode& node = tape_[id];
    const Op op = operation(node);
    Step step{.action = Action::kValue, .op = op, .a = value_[node.a]};
    if (node.kind == NodeKind::kParameter) step.b = parameter_register(node.slot);
    if (node.arity == 2) step.b = value_[node.b];
    if (needed_[id]) step.y = value_[id] = allocate();
    const bool has_local_slopes =
        node.kind == NodeKind::kOperator && op != Op::kAdd && op != Op::kSub && op != Op::kMul;
    if (has_local_slopes && node.arity == 1) {
      step.action = needed_[id] ? Action::kBoth : Action::kSlope;
      step.first = slopes_[id].first = allocate();
    } else if (has_local_slopes) {
      const bool constant_first = tape_[node.a].kind == NodeKind::kConstant && (op == Op::kMax || op == Op::kMin);
      step.action = constant_first ? Action::kBothConstant : Action::kBoth;
      if (active_[node.a]) step.first = slopes_[id].first = allocate();
      if (active_[node.b]) step.second = slopes_[id].second = allocate();
    } else if (!needed_[id]) {
      return;
    }
    program_.steps.push_back(step);
  }

  // Adds this node's share to the adjoints of its arguments.
  void pull(NodeId id) {
    const TapeNode& node = tape_[id];
    const Register g = adjoint_[id];
    if (node.kind == NodeKind::kParameter) {
      program_.steps.push_back(
          {.action = Action::kParameterGradient, .y = allocate(), .a = g, .b = value_[node.a], .slot = node.slot});
      if (active_[node.a]) product(node.a, g, parameter_register(node.slot));
      return;
    }
    switch (node.op) {
      case Op::kAdd:
        if (active_[node.a]) pass(node.a, g);
        if (active_[node.b]) pass(node.b, g);
        return;
      case Op::kSub:
        if (active_[node.a]) pass(node.a, g);
        if (active_[node.b]) accumulate(node.b, {.action = Action::kNegate, .a = g}, Action::kSubtract);
        return;
      case Op::kMul:
        if (active_[node.a]) product(node.a, g, value_[node.b]);
        if (active_[node.b]) product(node.b, g, value_[node.a]);
        return;
      default:
        if (active_[node.a]) chain(node.a, g, slopes_[id].first);
        if (node.arity == 2 && active_[node.b]) chain(node.b, g, slopes_[id].second);
    }
  }

  // y = ... for the first share, y += ... for the rest.
  void accumulate(NodeId target, Step first, Action later, Register in_place = kNoRegister) {
    const bool is_input = tape_[target].kind == NodeKind::kInput;
    bool started = is_input ? input_started_ : adjoint_[target] != kNoRegister;
    if (!started) adjoint_[target] = is_input ? kRegisterResult : in_place != kNoRegister ? in_place : allocate();
    if (is_input) input_started_ = true;
    if (started) first.action = later;
    first.y = adjoint_[target];
    program_.steps.push_back(first);
  }

  void pass(NodeId target, Register g) {
    const bool only_share = uses_[target] == 1 && tape_[target].kind != NodeKind::kInput;
    if (only_share) {
      adjoint_[target] = g;  // read, never written, as there is no second share
    } else {
      accumulate(target, {.action = Action::kCopy, .a = g}, Action::kAdd);
    }
  }

  void product(NodeId target, Register g, Register factor) {
    accumulate(target, {.action = Action::kMultiply, .a = g, .b = factor}, Action::kMultiplyAdd);
  }

  // The slope's own block takes the adjoint: nobody else reads it.
  void chain(NodeId target, Register g, Register slope) {
    accumulate(target, {.action = Action::kChain, .a = g, .b = slope}, Action::kChainAdd, slope);
  }

  std::vector<TapeNode> tape_;
  NodeId root_;
  std::vector<Register> value_;
  std::vector<int> uses_;
  std::vector<Register> free_;
  KernelProgram program_;

  struct SlopeRegisters {
    Register first, second;
  };
  std::vector<SlopeRegisters> slopes_;
  std::vector<Register> adjoint_;
  std::vector<bool> active_, needed_;
  bool input_started_ = false;
};

}  // namespace

KernelProgram compile_forward(const Graph& graph) { return Compiler(graph).forward(); }
KernelProgram compile_backward(const Graph& graph) { return Compiler(graph).backward(); }

}  // namespace actforge
