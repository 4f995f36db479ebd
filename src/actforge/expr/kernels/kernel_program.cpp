#include "actforge/expr/kernels/kernel_program.h"

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

bool can_be_infinite(const TapeNode& node) {
  return node.kind == NodeKind::kOperator && op_info(node.op).can_be_infinite;
}

class Compiler {
 public:
  explicit Compiler(const Graph& graph)
      : tape_(make_tape(graph)),
        root_(static_cast<NodeId>(tape_.size() - 1)),  // the last node of the graph, so the last of the tape as well
        value_(tape_.size(), kNoRegister),
        uses_(tape_.size()),
        uniform_(tape_.size()) {
    for (NodeId id = 0; id < tape_.size(); ++id) {
      const TapeNode& node = tape_[id];
      if (node.arity >= 1) ++uses_[node.a];
      if (node.arity == 2) ++uses_[node.b];
      uniform_[id] =
          node.kind != NodeKind::kInput && (node.arity < 1 || uniform_[node.a]) && (node.arity < 2 || uniform_[node.b]);
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
      KernelStep step = evaluation(id);
      // An argument's block is free once its last user has read it; the result may go right there.
      release(node.a, id, last_use);
      if (node.arity == 2 && node.b != node.a) release(node.b, id, last_use);
      step.y = value_[id] = id == root_ ? kRegisterResult : uniform_[id] ? lasting() : allocate();
      steps_for(id).push_back(step);
    }
    if (tape_[root_].arity == 0)
      program_.steps.push_back({.action = Action::kCopy, .y = kRegisterResult, .a = value_[root_]});
    return std::move(program_);
  }

  KernelProgram backward(std::span<const bool> is_cheap) {
    find_active();
    find_needed_values();
    program_.guarded = std::ranges::any_of(tape_, can_be_infinite);
    slope_.resize(tape_.size(), kNoRegister);
    adjoint_.resize(tape_.size(), kNoRegister);
    for (NodeId id = 0; id < tape_.size(); ++id) {
      if (!leaf(id) && needed_[id]) evaluate(id, is_cheap);
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
  bool leaf(NodeId id) {
    const TapeNode& node = tape_[id];
    if (node.kind == NodeKind::kInput) value_[id] = kRegisterX;
    if (node.kind == NodeKind::kConstant) value_[id] = constant_register(node.constant);
    return node.arity == 0;
  }

  KernelStep evaluation(NodeId id) {
    const TapeNode& node = tape_[id];
    KernelStep step{.action = Action::kValue, .op = node.op, .a = value_[node.a]};
    if (node.arity == 2) step.b = value_[node.b];
    if (node.kind == NodeKind::kParameter) step.op = Op::kMul, step.b = parameter_register(node.slot);
    return step;
  }

  std::vector<KernelStep>& steps_for(NodeId id) {
    return uniform_[id] && id != root_ ? program_.uniform_steps : program_.steps;
  }

  Register lasting() { return kFirstScratch + program_.scratch_count++; }

  Register allocate() {
    if (free_.empty()) return lasting();
    const Register reused = free_.back();
    free_.pop_back();
    return reused;
  }

  void release(NodeId node, NodeId user, const std::vector<NodeId>& last_use) {
    if (last_use[node] == user && tape_[node].arity > 0 && !uniform_[node]) free_.push_back(value_[node]);
  }

  Register constant_register(double value) {
    const Register target = lasting();
    program_.constants.push_back({target, static_cast<float>(value)});
    return target;
  }

  Register parameter_register(std::uint32_t slot) {
    const auto known = std::ranges::find(program_.parameters, slot, &KernelProgram::ParameterUse::slot);
    if (known != program_.parameters.end()) return known->target;
    const Register target = lasting();
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

  void evaluate(NodeId id, std::span<const bool> is_cheap) {
    const TapeNode& node = tape_[id];
    KernelStep step = evaluation(id);
    step.y = value_[id] = lasting();
    if (node.kind == NodeKind::kOperator && node.arity == 1 && !is_cheap[static_cast<std::size_t>(node.op)]) {
      step.action = Action::kBoth;
      step.slope = slope_[id] = lasting();
    }
    steps_for(id).push_back(step);
  }

  // Adds this node's share to the adjoints of its arguments.
  void pull(NodeId id) {
    const TapeNode& node = tape_[id];
    const Register g = adjoint_[id];
    if (node.kind == NodeKind::kParameter) {
      program_.steps.push_back(
          {.action = Action::kParameterGradient, .y = lasting(), .a = value_[node.a], .g = g, .slot = node.slot});
      if (active_[node.a]) share(node.a, {.action = Action::kProduct, .a = parameter_register(node.slot), .g = g});
    } else if (node.op == Op::kAdd || node.op == Op::kSub) {
      if (active_[node.a]) pass(node.a, g);
      if (active_[node.b] && node.op == Op::kAdd) pass(node.b, g);
      if (active_[node.b] && node.op == Op::kSub) pass_negative(node.b, g);
    } else if (node.arity == 2) {
      pull_binary(node, g);
    } else if (slope_[id] != kNoRegister) {
      // The slope's own block takes the adjoint, unless it must last for the next block.
      share(node.a, {.action = Action::kProduct, .a = slope_[id], .g = g}, uniform_[id] ? kNoRegister : slope_[id]);
    } else {
      share(node.a, {.action = Action::kPull, .op = node.op, .a = value_[node.a], .g = g});
    }
  }

  void pull_binary(const TapeNode& node, Register g) {
    const bool constant_first =
        tape_[node.a].kind == NodeKind::kConstant && (node.op == Op::kMax || node.op == Op::kMin);
    KernelStep step{.action = constant_first ? Action::kPull2Constant : Action::kPull2,
                    .op = node.op,
                    .a = value_[node.a],
                    .b = value_[node.b],
                    .g = g};
    if (active_[node.a]) step.add = start(node.a, step.y);
    if (active_[node.b]) step.add2 = start(node.b, step.y2);
    program_.steps.push_back(step);
  }

  // Where the adjoint of a node gathers, and whether something is there already.
  bool start(NodeId target, Register& y, Register in_place = kNoRegister) {
    const bool is_input = tape_[target].kind == NodeKind::kInput;
    const bool started = is_input ? input_started_ : adjoint_[target] != kNoRegister;
    if (!started) adjoint_[target] = is_input ? kRegisterResult : in_place != kNoRegister ? in_place : lasting();
    if (is_input) input_started_ = true;
    y = adjoint_[target];
    return started;
  }

  void share(NodeId target, KernelStep step, Register in_place = kNoRegister) {
    step.add = start(target, step.y, in_place);
    program_.steps.push_back(step);
  }

  void pass(NodeId target, Register g) {
    if (uses_[target] == 1 && tape_[target].kind != NodeKind::kInput) {
      adjoint_[target] = g;  // read, never written, as there is no second share
      return;
    }
    Register y = kNoRegister;
    const bool started = start(target, y);
    program_.steps.push_back({.action = started ? Action::kAdd : Action::kCopy, .y = y, .a = g});
  }

  void pass_negative(NodeId target, Register g) {
    Register y = kNoRegister;
    const bool started = start(target, y);
    program_.steps.push_back({.action = started ? Action::kSubtract : Action::kNegate, .y = y, .a = g});
  }

  std::vector<TapeNode> tape_;
  NodeId root_;
  std::vector<Register> value_;
  std::vector<int> uses_;
  std::vector<bool> uniform_;  // depends on parameters and constants alone
  std::vector<Register> free_;
  KernelProgram program_;

  std::vector<Register> slope_;
  std::vector<Register> adjoint_;
  std::vector<bool> active_, needed_;
  bool input_started_ = false;
};

}  // namespace

KernelProgram compile_forward(const Graph& graph) { return Compiler(graph).forward(); }
KernelProgram compile_backward(const Graph& graph, std::span<const bool> is_cheap) {
  return Compiler(graph).backward(is_cheap);
}

}  // namespace actforge
