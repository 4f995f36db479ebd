#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/onnx/graph.h"

namespace actforge {

// A tensor as a function of another one, number by number.
struct OnnxFunction {
  TensorId base = kNoTensor;
  std::string text = {};  // of x
  std::size_t depth = 0;
  // slope * x + offset, where it is no more than that.
  struct Line {
    double slope = 1, offset = 0;
  };
  std::optional<Line> line = {};
  TensorId slopes = kNoTensor;  // the numbers of its parameter alpha
  std::size_t rank = 0;         // the most extents of a constant in it
};

// What number-by-number nodes compute, taken together as far as they have a single signal in them and nothing else
// needs what is in between.
struct OnnxFunctions {
  std::vector<std::optional<OnnxFunction>> made;  // per tensor: those that something else needs
  std::vector<bool> inside;                       // per node: it is only a part of another one's function
};
// `folder` is the model's. Throws Error (kBadInput).
OnnxFunctions find_functions(const OnnxGraph& graph, const std::string& folder);

// ---- one node

// An argument of a node: a part of the function, or a constant.
struct FunctionArgument {
  std::string text = {};
  std::optional<double> constant = {};
  std::optional<OnnxFunction::Line> line = {};
};
// The function that the node applies to its arguments, as text. Nothing: it is not such a node, or cannot be written in
// the language.
std::optional<std::string> function_text(const OnnxNode& node, const std::vector<FunctionArgument>& arguments);
std::optional<OnnxFunction::Line> function_line(const OnnxNode& node, const std::vector<FunctionArgument>& arguments);
// Whether nodes of this kind work number by number.
bool is_function_op(std::string_view op);
std::string constant_text(double value);

}  // namespace actforge
