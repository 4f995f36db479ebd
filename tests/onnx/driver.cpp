// Reads an ONNX file, prints its network and what was noted about it, and writes it again.
//   onnx_driver IN                      prints only
//   onnx_driver IN OUT same             with the numbers that it has
//   onnx_driver IN OUT copied           with the same numbers put in as new ones
//   onnx_driver IN OUT halved           with half of each weight
//   onnx_driver IN OUT shifted          with 0.5 added to the outputs of activation layers
//   onnx_driver IN OUT dump             only the numbers, as safetensors named layer:weight
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "actforge/base/error.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/graph/tensor_file.h"
#include "actforge/onnx/file.h"

namespace {

using namespace actforge;

void write_again(const OnnxFile& file, const char* path, const std::string& how) {
  std::map<LayerId, double> shifts;
  for (LayerId id = 0; how == "shifted" && id < file.network().layers().size(); ++id) {
    if (file.network().layer(id).kind->name == "activation") shifts[id] = 0.5;
  }
  const auto new_values = [&](LayerId layer, std::size_t weight) {
    std::vector<float> values;
    if (how == "copied" || how == "halved") values = file.values(layer, weight);
    for (float& value : values) value *= how == "halved" ? 0.5F : 1.0F;
    return values;
  };
  file.write(path, new_values, shifts);
}

void dump(const OnnxFile& file, const char* path) {
  TensorFile tensors;
  for (LayerId id = 0; id < file.network().layers().size(); ++id) {
    const Layer& layer = file.network().layer(id);
    for (std::size_t w = 0; w < layer.weights.size(); ++w) {
      std::vector<float> values = file.values(id, w);
      if (values.empty()) continue;
      tensors.tensors.push_back({.name = layer.name + ":" + layer.weights[w].name,
                                 .shape = layer.weights[w].shape,
                                 .values = std::move(values)});
    }
  }
  write_tensor_file(path, tensors);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 4) return 2;
  try {
    const OnnxFile file = OnnxFile::read(arguments[1]);
    std::fputs(network_text(file.network()).c_str(), stdout);
    for (const std::string& note : file.notes()) std::printf("# %s\n", note.c_str());
    for (LayerId id = 0; id < file.network().layers().size(); ++id) {
      const Layer& layer = file.network().layer(id);
      for (std::size_t w = 0; w < layer.weights.size(); ++w) {
        const std::vector<float> values = file.values(id, w);
        double sum = 0;
        for (const float value : values) sum += double{value};
        std::printf("#weight %s %s %zu %.6g\n", layer.name.c_str(), layer.weights[w].name.c_str(), values.size(), sum);
      }
    }
    if (count == 4 && std::strcmp(arguments[3], "dump") == 0) {
      dump(file, arguments[2]);
      return 0;
    }
    if (count == 4) write_again(file, arguments[2], arguments[3]);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
