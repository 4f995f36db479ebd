#include "actforge/import/find_network.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "actforge/base/error.h"
#include "actforge/import/foreign_file.h"
#include "actforge/keras/file.h"
#include "actforge/net/graph/network_json.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "actforge/onnx/file.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Some editors begin a file with it.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string read_whole(const std::string& path) {
  constexpr std::uintmax_t kLargest = 64 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse("'" + path + "' is not a file");
  if (std::filesystem::file_size(path, error) > kLargest) refuse("'" + path + "' is too large for a network");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) refuse("'" + path + "' cannot be read");
  return text.str();
}

void check_options(const Network& network, const NetworkOptions& options) {
  for (const LayerId id : network.outputs()) {
    const std::int64_t classes = network.layer(id).output.channels();
    if (options.classes != 0 && classes != options.classes) {
      refuse("its answer has " + std::to_string(classes) + " numbers, not " + std::to_string(options.classes));
    }
  }
  for (const Layer& layer : network.layers()) {
    if (layer.kind == &kInputLayer && !options.input.empty() && layer.output.shape != options.input) {
      refuse("its input is " + shape_text(layer.output.shape) + ", not " + shape_text(options.input));
    }
  }
}

constexpr std::string_view kNoNetwork =
    "it is neither a Keras model (what model.to_json() gives) nor a network of actforge (net show --json): ";

// A network of our own, in either form, whatever the file is called.
Network parse_own(std::string_view text, bool is_json, bool named_json) {
  try {
    return is_json ? parse_network_json(text) : parse_network_text(text);
  } catch (const Error& error) {
    if (!is_json && !named_json) throw;
    refuse(std::string(kNoNetwork) + (is_json ? error.what() : "no JSON object"));
  }
}

}  // namespace

bool has_ending(const std::string& path, std::string_view wanted) {
  std::string ending = std::filesystem::path(path).extension();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == wanted;
}

bool is_zip(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, 4> mark{};
  std::ifstream(path, std::ios::binary).read(mark.data(), mark.size());
  return std::string_view(mark.data(), mark.size()) == "PK\x03\x04";
}

bool is_onnx_name(const std::string& path) { return has_ending(path, ".onnx"); }

Network find_network(const std::string& name_or_file, const NetworkOptions& options) {
  const bool looks_like_file = name_or_file.find('/') != std::string::npos ||
                               name_or_file.find('.') != std::string::npos || std::filesystem::exists(name_or_file);
  if (find_architecture(name_or_file) || !looks_like_file) return build_network(name_or_file, options);
  refuse_foreign(name_or_file);
  if (is_onnx_name(name_or_file)) {
    Network network = OnnxFile::read(name_or_file).network();
    check_options(network, options);
    return network;
  }
  if (is_zip(name_or_file)) {
    Network network = KerasFile::read(name_or_file).network();
    check_options(network, options);
    return network;
  }
  const std::string whole = read_whole(name_or_file);
  const std::string_view text =
      std::string_view(whole).substr(whole.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  try {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && text[first] == '{';
    Network network = is_json && is_keras_json(text) ? KerasFile::parse(text).network()
                                                     : parse_own(text, is_json, has_ending(name_or_file, ".json"));
    check_options(network, options);
    return network;
  } catch (const Error& error) {
    refuse(name_or_file + ": " + error.what());
  }
}

}  // namespace actforge
