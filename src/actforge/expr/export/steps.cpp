#include "actforge/expr/export/steps.h"

#include <algorithm>

#include "actforge/expr/language/graph.h"

namespace actforge {
namespace {

class Flattener {
 public:
  explicit Flattener(const Graph& graph) : graph_(graph) {}

  StepProgram run() {
    program_.parameters.assign(graph_.parameters().begin(), graph_.parameters().end());
    std::vector<bool> uses_input;
    for (const GraphNode& node : graph_.nodes()) {
      made_.push_back(operand_of(node));
      uses_input.push_back(node.kind == NodeKind::kInput ||
                           std::ranges::any_of(node.args, [&](NodeId arg) { return uses_input[arg]; }));
    }
    program_.result = made_[graph_.root()];
    program_.uses_input = uses_input[graph_.root()];
    return std::move(program_);
  }

 private:
  Operand operand_of(const GraphNode& node) {
    switch (node.kind) {
      case NodeKind::kInput: return {};
      case NodeKind::kConstant: return {.kind = Operand::Kind::kConstant, .constant = node.constant};
      case NodeKind::kParameter: return parameter(node);
      case NodeKind::kOperator: return operation(node);
    }
    return {};
  }

  Operand parameter(const GraphNode& node) {
    const Operand own{.kind = Operand::Kind::kParameter, .index = node.slot};
    const Operand& child = made_[node.args[0]];
    return child.is_constant() && child.constant == 1 ? own : add({Op::kMul, own, child});
  }

  Operand operation(const GraphNode& node) {
    std::vector<Operand> args;
    args.reserve(node.args.size());
    for (const NodeId arg : node.args) args.push_back(made_[arg]);
    if (args.size() == 1) return add({node.op, args[0]});
    const Op op = binary_step(node.op);
    const bool any_order = op != node.op || op == Op::kMax || op == Op::kMin;
    if (any_order)
      std::stable_partition(args.begin(), args.end(), [](const Operand& arg) { return !arg.is_constant(); });
    Operand total = args[0];
    for (std::size_t i = 1; i < args.size(); ++i) total = add({op, total, args[i]});
    return total;
  }

  Operand add(const ExportStep& step) {
    program_.steps.push_back(step);
    return {.kind = Operand::Kind::kStep, .index = program_.steps.size() - 1};
  }

  const Graph& graph_;
  StepProgram program_;
  std::vector<Operand> made_;
};

}  // namespace

bool StepProgram::uses(Operand::Kind kind, std::size_t index) const {
  const auto is_it = [&](const Operand& operand) { return operand.kind == kind && operand.index == index; };
  return is_it(result) || std::ranges::any_of(steps, [&](const ExportStep& step) {
           return is_it(step.a) || (step.b && is_it(*step.b));
         });
}

StepProgram export_steps(const Expr& expr, const ExportOptions& options) {
  StepProgram program = Flattener(canonical(expr)).run();
  if (options.scope) {
    for (Parameter& parameter : program.parameters) parameter.scope = *options.scope;
  }
  return program;
}

std::string operand_text(const StepProgram& program, const Operand& operand, std::string (*number)(double)) {
  switch (operand.kind) {
    case Operand::Kind::kInput: return "x";
    case Operand::Kind::kConstant: return number(operand.constant);
    case Operand::Kind::kParameter: return parameter_name(program.parameters[operand.index].index);
    case Operand::Kind::kStep: return "v" + std::to_string(operand.index + 1);
  }
  return {};
}

}  // namespace actforge
