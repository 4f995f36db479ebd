// Any bytes, read as an ONNX file, either give a network whose numbers can be read and whose file can be written and
// read again to the same network, or are refused as bad input.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "actforge/base/error.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/onnx/file.h"

namespace {

using namespace actforge;

void require(bool holds) {
  if (!holds) std::abort();
}

std::optional<OnnxFile> try_read(const std::string& path) {
  try {
    return OnnxFile::read(path);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kBadInput);
    require(*error.what() != '\0');
    return std::nullopt;
  }
}

// Weights may be missing or have the wrong size, which is only found when they are read.
void try_values(const OnnxFile& file) {
  for (LayerId id = 0; id < file.network().layers().size(); ++id) {
    const Layer& layer = file.network().layer(id);
    for (std::size_t w = 0; w < layer.weights.size(); ++w) {
      try {
        const std::vector<float> values = file.values(id, w);
        require(values.empty() || static_cast<std::int64_t>(values.size()) == element_count(layer.weights[w].shape));
      } catch (const Error& error) {
        require(error.code() == ErrorCode::kBadInput);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string folder = [] {
    const auto path = std::filesystem::temp_directory_path() / ("actforge-fuzz-onnx-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
    return path.string();
  }();
  const std::string in = folder + "/in.onnx", out = folder + "/out.onnx";
  std::ofstream(in, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const std::optional<OnnxFile> file = try_read(in);
  if (!file) return 0;
  try_values(*file);
  try {
    file->write(out, [&](LayerId layer, std::size_t weight) { return file->values(layer, weight); });
    file->write(out, [](LayerId, std::size_t) { return std::vector<float>(); });
  } catch (const Error&) {
    return 0;
  }
  const std::optional<OnnxFile> again = try_read(out);
  require(again.has_value());
  require(network_text(again->network()) == network_text(file->network()));
  return 0;
}
