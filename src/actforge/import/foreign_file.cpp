#include "actforge/import/foreign_file.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

// The two ends of a file: zip archives have their list of names last.
struct Ends {
  std::string head, tail;

  bool starts_with(std::string_view bytes) const { return std::string_view(head).starts_with(bytes); }
  bool is_zip() const { return starts_with(std::string_view("PK\x03\x04", 4)); }
  bool names(std::string_view entry) const {
    return head.find(entry) != std::string::npos || tail.find(entry) != std::string::npos;
  }
};

bool is_torchscript(const Ends& ends) {
  return ends.is_zip() && ends.names("constants.pkl") && ends.names("data.pkl") && ends.names("code/");
}

// A zip archive since PyTorch 1.6, and before a pickle, whatever its protocol.
bool is_pytorch(const Ends& ends) {
  const auto byte = [&](std::size_t i) { return i < ends.head.size() ? static_cast<unsigned char>(ends.head[i]) : 0; };
  const bool is_pickle = byte(0) == 0x80 && byte(1) >= 2 && byte(1) <= 5;
  return (ends.is_zip() && ends.names("data.pkl")) || is_pickle;
}

// After blocks of 512 bytes or more that belong to somebody else, perhaps.
bool is_hdf5(const Ends& ends) {
  constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";
  if (ends.starts_with(kMagic)) return true;
  for (std::size_t at = 512; at < ends.head.size(); at *= 2) {
    if (std::string_view(ends.head).substr(at).starts_with(kMagic)) return true;
  }
  return false;
}

bool is_tflite(const Ends& ends) { return ends.head.size() >= 8 && std::string_view(ends.head).substr(4, 4) == "TFL3"; }

// The length of a header, and the header, which is JSON.
bool is_safetensors(const Ends& ends) {
  constexpr std::uint64_t kLongest = 100'000'000;
  std::uint64_t length = 0;
  if (ends.head.size() < sizeof length + 2) return false;
  std::memcpy(&length, ends.head.data(), sizeof length);
  return length >= 2 && length <= kLongest && ends.head[sizeof length] == '{';
}

struct Row {
  std::string_view kind;
  bool (*is_it)(const Ends&);
  std::string_view recipe;  // {file} is its name as Python writes it
};

constexpr std::string_view kExport =
    "torch.onnx.export(model.eval(), torch.randn(1, 3, 224, 224), \"model.onnx\",  # an input of its shape; from "
    "PyTorch 2.9 "
    "on dynamo=False too\n"
    "                  training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)";

constexpr std::array<Row, 5> kRows = {{
    {"a TorchScript module", is_torchscript,
     "import torch\n"
     "model = torch.jit.load({file})\n{export}"},
    {"a checkpoint of PyTorch: weights, or a pickled model, without the network's graph", is_pytorch,
     "import torch\n"
     "model = MyModel(); model.load_state_dict(torch.load({file}))  # your class, as you made it for "
     "training\n{export}"},
    {"an HDF5 file, as Keras writes models and weights", is_hdf5,
     "import keras\n"
     "model = keras.models.load_model({file})  # weights alone: make the model, then model.load_weights({file})\n"
     "open(\"model.json\", \"w\").write(model.to_json())"},
    {"a model of TensorFlow Lite", is_tflite,
     "import tf2onnx  # pip install tf2onnx tensorflow\n"
     "tf2onnx.convert.from_tflite({file}, output_path=\"model.onnx\")\n"
     "# or rather from the Keras model that it was made of: open(\"model.json\", \"w\").write(model.to_json())"},
    {"a safetensors file: weights without the network's graph", is_safetensors,
     "import torch; from safetensors.torch import load_file\n"
     "model = MyModel(); model.load_state_dict(load_file({file}))  # your class, as you made it for "
     "training\n{export}"},
}};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// A string of JSON is one of Python too; bytes that are no text become marks.
std::string python_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::optional<Ends> read_ends(const std::string& path) {
  constexpr std::size_t kEnough = 1 << 16;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const auto read = [&] {
    std::string bytes(kEnough, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    return bytes;
  };
  Ends ends = {.head = read(), .tail = {}};
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  if (size > static_cast<std::streamoff>(kEnough)) {
    file.seekg(size - static_cast<std::streamoff>(kEnough));
    ends.tail = read();
  }
  return ends;
}

}  // namespace

std::optional<ForeignFile> recognise_foreign(const std::string& path) {
  const std::optional<Ends> ends = read_ends(path);
  if (!ends) return std::nullopt;
  for (const Row& row : kRows) {
    if (!row.is_it(*ends)) continue;
    const std::string recipe = replaced(std::string(row.recipe), "{export}", kExport);
    return ForeignFile{.kind = row.kind, .recipe = replaced(recipe, "{file}", python_string(path))};
  }
  return std::nullopt;
}

void refuse_foreign(const std::string& path) {
  const std::optional<ForeignFile> foreign = recognise_foreign(path);
  if (!foreign) return;
  throw Error(ErrorCode::kBadInput, "'" + path + "' is " + std::string(foreign->kind) +
                                        ". In Python, this converts it to a file that actforge reads:\n\n" +
                                        foreign->recipe + "\n");
}

}  // namespace actforge
