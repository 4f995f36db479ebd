#include "actforge/onnx/folded_norm.h"

#include <algorithm>
#include <cctype>

namespace actforge {
namespace {

bool is_norm(const Layer& layer) { return layer.kind->name.find("norm") != std::string_view::npos; }
bool is_convolution(const Layer& layer) { return layer.kind->name.find("conv") != std::string_view::npos; }

std::string tensor_name(const ImportedOnnx& imported, LayerId layer, std::size_t weight) {
  const auto found = imported.sources.find({layer, weight});
  const bool known = found != imported.sources.end() && found->second.tensor != nullptr;
  return known ? found->second.tensor->name() : std::string();
}

// A folded kernel is a tensor that the model has not, so that exporters make up a name: PyTorch `onnx::Conv_145`, or
// `145` before 1.12; its newer exporter keeps the kernel's and names the bias after it; tf2onnx says what it did.
bool is_made_up(std::string_view kernel, std::string_view bias) {
  constexpr std::string_view kPrefix = "onnx::Conv_";
  const std::string_view rest = kernel.starts_with(kPrefix) ? kernel.substr(kPrefix.size()) : kernel;
  const bool is_number =
      !rest.empty() && std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c) != 0; });
  return is_number || bias == std::string(kernel) + "_bias" || kernel.find("bn_fused") != std::string_view::npos ||
         kernel.find("fused_bn") != std::string_view::npos;
}

}  // namespace

std::string folded_norm_warning(const ImportedOnnx& imported) {
  std::size_t convolutions = 0, made_up = 0;
  std::string example;
  for (LayerId id = 0; id < imported.network.layers().size(); ++id) {
    const Layer& layer = imported.network.layer(id);
    if (is_norm(layer)) return {};
    if (!is_convolution(layer)) continue;
    std::string kernel, bias;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      (layer.weights[i].role == WeightRole::kBias ? bias : kernel) = tensor_name(imported, id, i);
    }
    if (bias.empty()) return {};
    ++convolutions;
    if (!is_made_up(kernel, bias)) continue;
    ++made_up;
    if (example.empty()) example = kernel;
  }
  if (made_up == 0 || 2 * made_up < convolutions) return {};
  return "batch normalisation seems to be folded into the convolutions: there is no normalisation, each convolution "
         "has a bias, and kernels have names that an exporter made up ('" +
         example.substr(0, 100) +
         "'). These weights are for that network, not for the one with its normalisation. To keep it, export with "
         "torch.onnx.export(model.eval(), ..., training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False), "
         "or, with dynamo=True, optimize=False";
}

}  // namespace actforge
