#include "actforge/onnx/folded_norm.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace actforge {
namespace {

bool is_norm(const Layer& layer) { return layer.kind->name.find("norm") != std::string_view::npos; }
bool is_convolution(const Layer& layer) { return layer.kind->name.find("conv") != std::string_view::npos; }

std::string tensor_name(const ImportedOnnx& imported, LayerId layer, std::size_t weight) {
  const auto found = imported.sources.find({layer, weight});
  const bool known = found != imported.sources.end() && found->second.tensor != nullptr;
  return known ? found->second.tensor->name() : std::string();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// A folded kernel is a tensor that the model has not, so that exporters make up a name: PyTorch `onnx::Conv_145`, or
// `145` before 1.12. Its newer exporter keeps the kernel's and names the bias after it; tf2onnx says what it did.
bool is_made_up(std::string_view kernel, std::string_view bias) {
  constexpr std::string_view kPrefix = "onnx::Conv_";
  return is_number(kernel.starts_with(kPrefix) ? kernel.substr(kPrefix.size()) : kernel) ||
         bias == std::string(kernel) + "_bias" || kernel.find("fused_bn") != std::string_view::npos;
}

// PyTorch's newer exporter calls the output of a normalisation `getitem`, as it is one of several, and leaves a bias of
// zeros out. The kernels of convolutions that make such an output.
std::set<std::string> kernels_before_getitem(const onnx::ModelProto& model) {
  std::set<std::string> kernels;
  for (const onnx::NodeProto& node : model.graph().node()) {
    const bool is_convolution = node.op_type() == "Conv" || node.op_type() == "ConvTranspose";
    if (!is_convolution || node.output_size() == 0 || !node.output(0).starts_with("getitem")) continue;
    if (node.input_size() > 1) kernels.insert(node.input(1));
  }
  return kernels;
}

}  // namespace

std::string folded_norm_warning(const OnnxContent& content) {
  const ImportedOnnx& imported = content.imported;
  const std::set<std::string> before_getitem = kernels_before_getitem(content.model);
  std::size_t convolutions = 0, folded_ones = 0;
  std::string example;
  for (LayerId id = 0; id < imported.network.layers().size(); ++id) {
    const Layer& layer = imported.network.layer(id);
    if (is_norm(layer)) return {};
    if (!is_convolution(layer)) continue;
    std::string kernel, bias;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      (layer.weights[i].role == WeightRole::kBias ? bias : kernel) = tensor_name(imported, id, i);
    }
    const bool folded = before_getitem.contains(kernel) || is_made_up(kernel, bias);
    if (!folded && bias.empty()) return {};
    ++convolutions;
    if (!folded) continue;
    ++folded_ones;
    if (example.empty()) example = kernel;
  }
  if (folded_ones == 0 || 2 * folded_ones < convolutions) return {};
  return "batch normalisation seems to be folded into the convolutions: there is none left, and names are those that "
         "an "
         "exporter makes up then (at the kernel '" +
         example.substr(0, 100) +
         "'). These weights are for that network, not for the one with its normalisation. To keep it, export with "
         "torch.onnx.export(model.eval(), ..., training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False), "
         "and "
         "dynamo=False from PyTorch 2.9 on";
}

}  // namespace actforge
