// Any bytes, read as the text form and as the JSON form of a network, either give one that both forms bring back equal,
// or are refused as bad input.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "actforge/base/error.h"
#include "actforge/net/graph/network_json.h"
#include "actforge/net/graph/network_text.h"

namespace {

using actforge::Error;
using actforge::Layer;
using actforge::Network;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Parse>
std::optional<Network> try_parse(Parse parse, const std::string& text) {
  try {
    return parse(text);
  } catch (const Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(*error.what() != '\0');
    return std::nullopt;
  }
}

// What either form says is everything that a network is; shapes and counts follow and are in JSON.
void check(const Network& network) {
  const std::string text = actforge::network_text(network), json = actforge::network_json(network);
  const Network from_text = actforge::parse_network_text(text), from_json = actforge::parse_network_json(json);
  require(actforge::network_text(from_text) == text && actforge::network_json(from_text) == json);
  require(actforge::network_text(from_json) == text && actforge::network_json(from_json) == json);
  for (const Layer& layer : network.layers()) {
    require(actforge::element_count(layer.output.shape) > 0);
    require(layer.output.channel_axis < layer.output.shape.size());
    require(layer.weight_count() <= layer.parameter_count());
    for (const actforge::Weight& weight : layer.weights) require(weight.fan_in > 0 && weight.fan_out > 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (const auto network = try_parse(actforge::parse_network_text, text)) check(*network);
  if (const auto network = try_parse(actforge::parse_network_json, text)) check(*network);
  return 0;
}
