#include "actforge/onnx/function.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "actforge/onnx/constant.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

// Functions larger than this are cut in two. The language takes trees, in which what is used twice is written twice.
constexpr std::size_t kMostText = 2000;
constexpr std::size_t kMostDepth = 160;
// Each round finds tensors that must stay available, and may thereby make others so; more rounds than a few only happen
// in graphs that are made for it, which then are not fused at all.
constexpr int kMostRounds = 20;

class FunctionFinder {
 public:
  FunctionFinder(const OnnxGraph& graph, const std::string& folder)
      : graph_(graph),
        folder_(folder),
        scalars_(graph.tensors.size()),
        constant_(graph.tensors.size()),
        needed_(graph.tensors.size()),
        functions_(graph.tensors.size()) {}

  OnnxFunctions find() {
    find_constants();
    for (const TensorId id : graph_.outputs) needed_[id] = true;
    for (int round = 0;; ++round) {
      if (round == kMostRounds) needed_.assign(needed_.size(), true);
      changed_ = false;
      for (const OnnxNode& node : graph_.nodes) visit(node);
      if (!changed_) break;
    }
    OnnxFunctions result;
    result.made.resize(functions_.size());
    result.inside.resize(graph_.nodes.size());
    for (std::size_t id = 0; id < functions_.size(); ++id) {
      if (!functions_[id]) continue;
      if (needed_[id]) {
        result.made[id] = std::move(functions_[id]);
      } else {
        result.inside[static_cast<std::size_t>(graph_.tensors[id].producer)] = true;
      }
    }
    return result;
  }

 private:
  // Which tensors do not depend on a sample, and which of them are a single number.
  void find_constants() {
    for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
      if (graph_.tensors[id].initializer == nullptr) continue;
      constant_[id] = true;
      if (graph_.tensors[id].users.empty()) continue;
      OnnxConstant value = constant_of(*graph_.tensors[id].initializer);
      if (value.size() != 1) continue;
      if (const auto* numbers = small_numbers(value, folder_)) scalars_[id] = (*numbers)[0].value;
    }
    for (const OnnxNode& node : graph_.nodes) {
      bool all = !node.inputs.empty() || node.op == "Constant";
      for (const TensorId id : node.inputs) all = all && (id == kNoTensor || constant_[id]);
      if (!all && node.op != "Shape" && node.op != "Size") continue;
      for (const TensorId id : node.outputs) {
        if (id != kNoTensor) constant_[id] = true;
      }
      if ((node.op == "Identity" || node.op == "Cast") && !node.outputs.empty() && node.input(0) != kNoTensor) {
        if (node.op == "Identity" || is_float_type(static_cast<std::int32_t>(node.integer("to", 0)))) {
          if (node.outputs[0] != kNoTensor) scalars_[node.outputs[0]] = scalars_[node.inputs[0]];
        }
      }
      if (node.op == "Constant" && node.has("value_float") && !node.outputs.empty() && node.outputs[0] != kNoTensor) {
        scalars_[node.outputs[0]] = static_cast<float>(node.number("value_float", 0));
      }
    }
  }

  void visit(const OnnxNode& node) {
    if (node.outputs.empty()) return;
    const TensorId output = node.outputs[0];
    std::optional<OnnxFunction> function;
    if (is_candidate(node)) {
      function = function_of(node);
      if (!function && need_inputs(node)) function = function_of(node);
    }
    if (!function) need_inputs(node);
    if (output != kNoTensor) functions_[output] = std::move(function);
  }

  bool is_candidate(const OnnxNode& node) const {
    return is_function_op(node.op) && node.outputs.size() == 1 && node.outputs[0] != kNoTensor &&
           !constant_[node.outputs[0]] && node.input(0) != kNoTensor;
  }

  // From here on they are signals of their own. Whether that is new for any of them.
  bool need_inputs(const OnnxNode& node) {
    bool any = false;
    for (const TensorId id : node.inputs) {
      if (id == kNoTensor || needed_[id] || !functions_[id]) continue;
      needed_[id] = any = changed_ = true;
    }
    return any;
  }

  const OnnxFunction* find(TensorId id) const {
    const std::optional<OnnxFunction>& function = functions_[id];
    return function && !needed_[id] ? &*function : nullptr;
  }

  std::optional<OnnxFunction> function_of(const OnnxNode& node) const {
    if (node.op == "PRelu") return prelu(node);
    OnnxFunction result;
    std::vector<FunctionArgument> arguments;
    for (const TensorId id : node.inputs) {
      if (id == kNoTensor) {
        arguments.emplace_back();
      } else if (const std::optional<double> scalar = scalars_[id]; scalar && std::isfinite(*scalar)) {
        arguments.push_back({.text = constant_text(*scalar), .constant = scalar});
        if (const auto* tensor = graph_.tensors[id].initializer) {
          result.rank = std::max(result.rank, tensor_dims(*tensor).size());
        }
      } else if (constant_[id] || !take(id, result, arguments.emplace_back())) {
        return std::nullopt;
      }
    }
    while (!arguments.empty() && arguments.back().text.empty()) arguments.pop_back();
    if (result.base == kNoTensor) return std::nullopt;
    result.line = function_line(node, arguments);
    return finished(std::move(result), function_text(node, arguments), arguments.size());
  }

  // Adds a signal to a function that may only have one.
  bool take(TensorId id, OnnxFunction& result, FunctionArgument& argument) const {
    const OnnxFunction* part = find(id);
    const TensorId base = part == nullptr ? id : part->base;
    if (result.base != kNoTensor && result.base != base) return false;
    result.base = base;
    if (part == nullptr) {
      argument = {.text = "x", .line = OnnxFunction::Line{}};
      return true;
    }
    argument = {.text = part->text, .line = part->line};
    result.depth = std::max(result.depth, part->depth);
    result.rank = std::max(result.rank, part->rank);
    if (part->slopes != kNoTensor && result.slopes != kNoTensor && part->slopes != result.slopes) return false;
    if (part->slopes != kNoTensor) result.slopes = part->slopes;
    return true;
  }

  static std::optional<OnnxFunction> finished(OnnxFunction result, std::optional<std::string> text,
                                              std::size_t arguments) {
    constexpr std::size_t kDeepestRule = 5;
    result.depth += kDeepestRule + arguments;
    if (!text || text->size() > kMostText || result.depth > kMostDepth) return std::nullopt;
    result.text = std::move(*text);
    return result;
  }

  // The slopes are a parameter per channel, or one for all.
  std::optional<OnnxFunction> prelu(const OnnxNode& node) const {
    const TensorId slope = node.input(1);
    const onnx::TensorProto* tensor = slope == kNoTensor ? nullptr : graph_.tensors[slope].initializer;
    if (tensor == nullptr || !is_float_type(tensor->data_type())) return std::nullopt;
    const std::int64_t size = tensor_size(*tensor);
    OnnxFunction result;
    FunctionArgument argument;
    if (constant_[node.inputs[0]] || !take(node.inputs[0], result, argument)) return std::nullopt;
    if (result.slopes != kNoTensor || size == 0 || size > kMaxFolded) return std::nullopt;
    const std::vector<float> slopes = tensor_floats(*tensor, folder_);
    const double mean = std::accumulate(slopes.begin(), slopes.end(), 0.0) / static_cast<double>(size);
    if (!std::isfinite(mean)) return std::nullopt;
    result.slopes = slope;
    const std::string alpha = "alpha[" + constant_text(mean) + (size == 1 ? ",layer](" : ",channel](");
    return finished(std::move(result), "add(relu(" + argument.text + ")," + alpha + "min0(" + argument.text + ")))", 1);
  }

  const OnnxGraph& graph_;
  const std::string& folder_;
  std::vector<std::optional<double>> scalars_;
  std::vector<bool> constant_;
  std::vector<bool> needed_;  // outside of any function
  std::vector<std::optional<OnnxFunction>> functions_;
  bool changed_ = false;
};

}  // namespace

OnnxFunctions find_functions(const OnnxGraph& graph, const std::string& folder) {
  return FunctionFinder(graph, folder).find();
}

}  // namespace actforge
