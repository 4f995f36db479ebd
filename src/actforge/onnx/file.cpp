#include "actforge/onnx/file.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/onnx/folded_norm.h"
#include "actforge/onnx/tensor.h"
#include "actforge/onnx/write.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// protobuf limits the nesting itself, to 100 levels.
void parse_model(const std::string& path, onnx::ModelProto& model) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) refuse("there is no such file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) refuse("it cannot be read");
  if (size > static_cast<std::uintmax_t>(std::numeric_limits<int>::max())) refuse("it is larger than 2 GB");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("it cannot be read");
  google::protobuf::io::IstreamInputStream stream(&file);
  if (!model.ParseFromZeroCopyStream(&stream)) refuse("it is not an ONNX file, or it is truncated");
}

}  // namespace

struct OnnxFile::Body : OnnxContent {};

OnnxFile::OnnxFile(std::unique_ptr<Body> body) : body_(std::move(body)) {}
OnnxFile::~OnnxFile() = default;
OnnxFile::OnnxFile(OnnxFile&&) noexcept = default;
OnnxFile& OnnxFile::operator=(OnnxFile&&) noexcept = default;

OnnxFile OnnxFile::read(const std::string& path) {
  auto body = std::make_unique<Body>();
  try {
    parse_model(path, body->model);
    body->path = path;
    body->folder = fs::path(path).parent_path().string();
    body->imported = import_onnx(body->model, body->folder);
  } catch (const Error& error) {
    throw Error(error.code(), "'" + path + "': " + error.what());
  }
  return OnnxFile(std::move(body));
}

const Network& OnnxFile::network() const { return body_->imported.network; }
std::span<const std::string> OnnxFile::notes() const { return body_->imported.notes; }

std::vector<float> OnnxFile::values(LayerId layer, std::size_t weight) const {
  if (!holds(layer, weight)) return {};
  const WeightSource& source = body_->imported.sources.at({layer, weight});
  const Layer& of = network().layer(layer);
  try {
    return weight_values(source, of.weights[weight].shape, tensor_floats(*source.tensor, body_->folder));
  } catch (const Error& error) {
    throw Error(error.code(), "layer '" + of.name + "': " + error.what());
  }
}

bool OnnxFile::holds(LayerId layer, std::size_t weight) const {
  const auto found = body_->imported.sources.find({layer, weight});
  return found != body_->imported.sources.end() && found->second.tensor != nullptr;
}

void OnnxFile::write(const std::string& path, const NewValues& new_values,
                     const std::map<LayerId, double>& shifts) const {
  write_onnx_file(*body_, path, new_values, shifts);
}

std::vector<NamedTensor> OnnxFile::tensors(const NewValues& new_values) const {
  return named_tensors(*body_, new_values);
}

std::vector<std::string> OnnxFile::warnings() const {
  const std::string folded = folded_norm_warning(*body_);
  return folded.empty() ? std::vector<std::string>() : std::vector<std::string>{folded};
}

}  // namespace actforge
