#pragma once

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"

namespace actforge {

// Numbers that float32 holds exactly; away from the usual kinks, but for the last few.
inline std::vector<double> export_grid() {
  std::vector<double> grid;
  for (int i = 0; i < 60; ++i) grid.push_back((i * 170 + 37) / 1024.0 - 5);
  for (const double x : {-30.25, -8.5, 8.5, 30.25, 0.0, 1.0, -1.0}) grid.push_back(x);
  return grid;
}

// The largest magnitude among all intermediate values, NaN if one is: tells where a computation overflows on its way to
// a harmless result. Frameworks give no gradient there.
inline double largest_inside(const Expr& expr, double x, double* result = nullptr) {
  std::vector<double> made;
  double largest = 0;
  for (NodeId id = 0; id < expr.nodes().size(); ++id) {
    const Node& node = expr.node(id);
    const auto child = [&](std::size_t i) { return made[expr.children(id)[i]]; };
    double value = x;
    if (node.kind == NodeKind::kConstant) value = node.constant;
    if (node.kind == NodeKind::kParameter) value = expr.parameter(node.parameter).initial * child(0);
    if (node.kind == NodeKind::kOperator) {
      const OpInfo& info = op_info(node.op);
      if (const Expr* body = definition_of(node.op)) {
        const double inside = largest_inside(*body, child(0), &value);
        if (!(inside <= largest)) largest = inside;
      } else if (info.arity == 1) {
        value = info.value(child(0));
      } else {
        value = child(0);
        for (std::size_t i = 1; i < expr.children(id).size(); ++i) value = info.value2(value, child(i));
      }
    }
    made.push_back(value);
    if (!(std::fabs(value) <= largest)) largest = std::fabs(value);
    if (std::isnan(largest)) break;
  }
  if (result != nullptr) *result = made.back();
  return largest;
}

// Whether the slope is what finite differences to both sides say: not so at kinks and jumps, where frameworks differ.
template <class Function>
bool is_smooth(Function f, double at, double slope) {
  const double h = 1e-6 * std::fmax(1, std::fabs(at));
  const auto agrees = [&](double step) {
    return std::fabs((f(at + step) - f(at)) / step - slope) <= 1e-3 * (1 + std::fabs(slope));
  };
  return agrees(h) && agrees(-h);
}

// Every operator of the table, and the functions of export_expressions.txt.
inline std::vector<Expr> export_cases(const std::string& list_file) {
  std::vector<Expr> cases;
  for (const OpInfo& row : op_table()) {
    const std::string name(row.name);
    cases.push_back(parse(name + (row.arity == 1 ? "(x)" : row.arity == 2 ? "(x,tanh(x))" : "(x,tanh(x),cos(x))")));
  }
  std::ifstream list(list_file);
  if (!list) throw std::runtime_error("cannot read " + list_file);
  for (std::string line; std::getline(list, line);) {
    if (!line.empty() && line.front() != '#') cases.push_back(parse(line));
  }
  return cases;
}

}  // namespace actforge
