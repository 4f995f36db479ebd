#include "actforge/expr/moments/breakpoints.h"

#include <algorithm>
#include <cmath>

#include "actforge/expr/language/graph.h"

namespace actforge {
namespace {

// One quantity inside the function whose zeros are breaks: value(a) - at, or value(a) - value(b).
struct Watch {
  NodeId a;
  NodeId b;
  bool difference;
  double at;
};

std::vector<Watch> watches_of(const Graph& graph) {
  std::vector<Watch> list;
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const GraphNode& node = graph.node(id);
    if (node.kind != NodeKind::kOperator) continue;
    for (const Break& b : op_info(node.op).breaks) list.push_back({node.args[0], 0, false, b.at});
    const bool of_x_itself = graph.node(node.args[0]).kind == NodeKind::kInput;
    if (op_info(node.op).bends && !of_x_itself) {
      for (const double at : {-35.0, -20.0, -8.0, -2.0, 0.0, 2.0, 8.0, 20.0, 35.0})
        list.push_back({node.args[0], 0, false, at});
    }
    switch (node.op) {
      case Op::kDiv:
      case Op::kDivNoNan: list.push_back({node.args[1], 0, false, 0}); break;
      case Op::kDivEps: list.push_back({node.args[1], 0, false, -kEpsilon}); break;
      case Op::kPow: list.push_back({node.args[0], 0, false, 0}); break;
      case Op::kMax:
      case Op::kMin:
      case Op::kMaxN:
      case Op::kMinN:
        for (std::size_t i = 0; i < node.args.size(); ++i) {
          for (std::size_t j = i + 1; j < node.args.size(); ++j) list.push_back({node.args[i], node.args[j], true, 0});
        }
        break;
      default: break;
    }
  }
  return list;
}

class Scanner {
 public:
  explicit Scanner(const Reference& function) : graph_(canonical(function.expr())), watches_(watches_of(graph_)) {
    parameters_.assign(function.parameter_values().begin(), function.parameter_values().end());
  }

  bool empty() const { return watches_.empty(); }
  std::size_t count() const { return watches_.size(); }

  // Fills out[w] with every watched quantity at x.
  void measure(double x, std::vector<double>& out) {
    evaluate(x);
    out.resize(watches_.size());
    for (std::size_t w = 0; w < watches_.size(); ++w) out[w] = watched(w);
  }

  double measure_one(double x, std::size_t w) {
    evaluate(x);
    return watched(w);
  }

 private:
  double watched(std::size_t w) const {
    const Watch& watch = watches_[w];
    return watch.difference ? values_[watch.a] - values_[watch.b] : values_[watch.a] - watch.at;
  }

  void evaluate(double x) {
    values_.resize(graph_.nodes().size());
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) {
      const GraphNode& node = graph_.node(id);
      switch (node.kind) {
        case NodeKind::kInput: values_[id] = x; break;
        case NodeKind::kConstant: values_[id] = node.constant; break;
        case NodeKind::kParameter: values_[id] = parameters_[node.slot] * values_[node.args[0]]; break;
        case NodeKind::kOperator: {
          const OpInfo& info = op_info(node.op);
          values_[id] = info.arity == 1 ? info.value(values_[node.args[0]]) : values_[node.args[0]];
          for (std::size_t i = 1; i < node.args.size(); ++i)
            values_[id] = info.value2(values_[id], values_[node.args[i]]);
          break;
        }
      }
    }
  }

  Graph graph_;
  std::vector<Watch> watches_;
  std::vector<double> parameters_;
  std::vector<double> values_;
};

int sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : v == 0 ? 0 : 2; }  // NaN has a class of its own

// The point where the sign (or NaN-ness) of a watched quantity changes, to the last bit.
double bisect(Scanner& scanner, std::size_t w, double left, double right) {
  const int at_left = sign_of(scanner.measure_one(left, w));
  for (int i = 0; i < 200; ++i) {
    const double middle = left + (right - left) / 2;
    if (middle <= left || middle >= right) break;
    (sign_of(scanner.measure_one(middle, w)) == at_left ? left : right) = middle;
  }
  // Of the two neighbours, the one where the quantity vanishes, or else the rounder one.
  const double w_left = std::fabs(scanner.measure_one(left, w)), w_right = std::fabs(scanner.measure_one(right, w));
  return w_left < w_right || (w_left == w_right && std::fabs(left) < std::fabs(right)) ? left : right;
}

// Golden-section search for a minimum of |w| between the neighbours of a grid point.
double approach(Scanner& scanner, std::size_t w, double left, double right) {
  constexpr double kRatio = 0.6180339887498949;
  double a = right - kRatio * (right - left), b = left + kRatio * (right - left);
  double at_a = std::fabs(scanner.measure_one(a, w)), at_b = std::fabs(scanner.measure_one(b, w));
  for (int i = 0; i < 80; ++i) {
    if (at_a < at_b) {
      right = b, b = a, at_b = at_a;
      a = right - kRatio * (right - left), at_a = std::fabs(scanner.measure_one(a, w));
    } else {
      left = a, a = b, at_a = at_b;
      b = left + kRatio * (right - left), at_b = std::fabs(scanner.measure_one(b, w));
    }
  }
  return at_a < at_b ? a : b;
}

}  // namespace

std::vector<double> find_breakpoints(const Reference& function, std::span<const double> grid) {
  Scanner scanner(function);
  std::vector<double> found;
  if (scanner.empty() || grid.size() < 3) return found;
  std::vector<double> before, here, after;
  scanner.measure(grid[0], before);
  scanner.measure(grid[1], here);
  for (std::size_t i = 1; i + 1 < grid.size(); ++i) {
    scanner.measure(grid[i + 1], after);
    for (std::size_t w = 0; w < scanner.count(); ++w) {
      if (sign_of(before[w]) != sign_of(here[w])) found.push_back(bisect(scanner, w, grid[i - 1], grid[i]));
      const bool dips = std::fabs(here[w]) < std::fabs(before[w]) && std::fabs(here[w]) <= std::fabs(after[w]) &&
                        sign_of(before[w]) == sign_of(here[w]) && sign_of(here[w]) == sign_of(after[w]);
      if (!dips) continue;
      const double lowest = approach(scanner, w, grid[i - 1], grid[i + 1]);
      if (std::fabs(scanner.measure_one(lowest, w)) < 1e-9 * std::fabs(here[w])) found.push_back(lowest);
    }
    if (i + 2 == grid.size()) {
      for (std::size_t w = 0; w < scanner.count(); ++w) {
        if (sign_of(here[w]) != sign_of(after[w])) found.push_back(bisect(scanner, w, grid[i], grid[i + 1]));
      }
    }
    std::swap(before, here);
    std::swap(here, after);
  }
  // Several watches may find the same point.
  std::ranges::sort(found);
  const auto close = [](double a, double b) { return b - a <= 1e-12 * (1 + std::fabs(a)); };
  found.erase(std::unique(found.begin(), found.end(), close), found.end());
  for (double& x : found) {
    if (std::fabs(x) < 1e-12) x = 0;
  }
  return found;
}

}  // namespace actforge
