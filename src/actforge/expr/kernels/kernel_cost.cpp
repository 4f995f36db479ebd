#include "actforge/expr/kernels/kernel_cost.h"

#include <array>
#include <vector>

#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/graph.h"

namespace actforge {
namespace {

// In units of ReLU, forward and backward, for 65,536 numbers in the cache, with AVX2 on one thread.
//
// A function costs kMemory, and each node of its canonical form what its kernel says (kCost in simd_ops-inl.h and
// simd_binary_ops-inl.h), plus kChain for every argument that is itself computed: the chain rule multiplies by its
// slope. Operators that the canonical form writes otherwise cost nothing by themselves. The numbers are the
// least-squares fit, with relative errors, to 225 functions drawn from pangaea, cafe-s1 and aquasurf-4: predictions are
// between 0.69 and 1.23 of what `fn bench --elements 65536 --target AVX2` measures, half of them between 0.89 and 1.08.
constexpr double kMemory = 0.7, kChain = 0.4, kParameter = 1.5;

double own_cost(const GraphNode& node) {
  static const std::array<double, kMostOps> costs = portable_table().cost;
  if (node.kind == NodeKind::kParameter) return kParameter;
  const double times = op_info(node.op).arity == 1 ? 1 : static_cast<double>(node.args.size()) - 1;
  return times * costs[static_cast<std::size_t>(binary_step(node.op))];
}

}  // namespace

double relative_cost(const Expr& expr) {
  const Graph graph = canonical(expr);
  double cost = kMemory;
  // What does not depend on x is computed once for many numbers.
  std::vector<bool> varies(graph.nodes().size());
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const GraphNode& node = graph.node(id);
    varies[id] = node.kind == NodeKind::kInput;
    double chains = 0;
    for (const NodeId argument : node.args) {
      varies[id] = varies[id] || varies[argument];
      if (varies[argument] && graph.node(argument).kind != NodeKind::kInput) chains += kChain;
    }
    if (varies[id] && node.kind != NodeKind::kInput) cost += own_cost(node) + chains;
  }
  return cost;
}

}  // namespace actforge
