// Any bytes, read as a Keras model, either give a network that the text form brings back equal and a file that can be
// written and read again, or are refused as bad input.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/keras/file.h"
#include "actforge/net/graph/network_text.h"

namespace {

using actforge::Error;
using actforge::KerasFile;
using actforge::Layer;
using actforge::LayerId;
using actforge::Network;
using actforge::network_text;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Call>
auto try_call(Call call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(*error.what() != '\0');
    return std::nullopt;
  }
}

void check_network(const Network& network) {
  const std::string text = network_text(network);
  require(network_text(actforge::parse_network_text(text)) == text);
  for (const Layer& layer : network.layers()) {
    require(actforge::element_count(layer.output.shape) > 0);
    require(layer.output.channel_axis < layer.output.shape.size());
  }
}

// One weight at a time, as the file may have no place for some; all shifts at once.
void check_writing(const KerasFile& file) {
  const Network& network = file.network();
  require(network_text(KerasFile::parse(file.with_initialisers({})).network()) == network_text(network));
  constexpr LayerId kMost = 20;
  std::map<LayerId, double> shifts;
  for (LayerId id = 0; id < network.layers().size() && id < kMost; ++id) {
    for (std::size_t i = 0; i < network.layer(id).weights.size(); ++i) {
      const std::vector<actforge::KerasInitialiser> one = {{id, i, i % 2 == 0 ? "orthogonal" : "normal", 0.5, id}};
      const auto written = try_call([&] { return file.with_initialisers(one); });
      if (written) require(network_text(KerasFile::parse(*written).network()) == network_text(network));
    }
    if (network.layer(id).kind->name == "activation") shifts[id] = 0.5;
  }
  const auto shifted = try_call([&] { return file.with_initialisers({}, shifts); });
  if (shifted) KerasFile::parse(*shifted);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  actforge::is_keras_json(text);
  const auto file = try_call([&] { return KerasFile::parse(text); });
  if (!file) return 0;
  check_network(file->network());
  if (file->network().layers().size() < 1000) check_writing(*file);
  return 0;
}
