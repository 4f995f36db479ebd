#include "actforge/net/graph/network_text.h"

#include <optional>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// "a, b=f(x,y), c=1" -> its pieces: commas inside brackets do not count.
std::vector<std::string_view> split_arguments(std::string_view text) {
  std::vector<std::string_view> pieces;
  if (trim(text).empty()) return pieces;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ',' && depth == 0) {
      pieces.push_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  pieces.push_back(trim(text.substr(begin)));
  return pieces;
}

struct Arguments {
  std::vector<LayerId> inputs = {};
  Attributes attributes = {};
  std::optional<LayerId> shares = {};
};

// "image, filters=16"
Arguments read_arguments(const NetworkBuilder& builder, const LayerKind& kind, std::string_view text) {
  Arguments arguments;
  for (const std::string_view piece : split_arguments(text)) {
    const std::size_t sign = piece.find('=');
    if (sign == std::string_view::npos) {
      arguments.inputs.push_back(builder.find(piece));
      continue;
    }
    const std::string setting(trim(piece.substr(0, sign)));
    if (setting == "shares") {
      arguments.shares = builder.find(trim(piece.substr(sign + 1)));
      continue;
    }
    const AttributeRow& row = kind.attributes[attribute_index(kind, setting)];
    arguments.attributes.emplace_back(setting, parse_attribute(row, trim(piece.substr(sign + 1))));
  }
  return arguments;
}

// "conv_1 = conv(image, filters=16)"
void add_layer(NetworkBuilder& builder, std::string_view line) {
  const std::size_t equals = line.find('='), open = line.find('(');
  if (equals == std::string_view::npos || open == std::string_view::npos || equals > open || line.back() != ')') {
    refuse("expected 'NAME = KIND(INPUTS, SETTING=VALUE, ...)', not '" + std::string(line) + "'");
  }
  const std::string name(trim(line.substr(0, equals)));
  if (name.empty()) refuse("the layer has no name");
  const std::string_view kind = trim(line.substr(equals + 1, open - equals - 1));
  Arguments arguments;
  try {
    arguments = read_arguments(builder, find_layer_kind(kind), line.substr(open + 1, line.size() - open - 2));
  } catch (const Error& error) {
    refuse("layer '" + name + "': " + error.what());
  }
  builder.add(kind, arguments.inputs, arguments.attributes, name, arguments.shares);
}

std::vector<LayerId> read_outputs(const NetworkBuilder& builder, std::string_view names) {
  std::vector<LayerId> outputs;
  for (const std::string_view name : split_arguments(names)) outputs.push_back(builder.find(name));
  return outputs;
}

// What a line is, without its comment.
std::string_view meaning(std::string_view line) { return trim(line.substr(0, line.find('#'))); }

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && line.size() > word.size() && (line[word.size()] == ' ' || line[word.size()] == '\t');
}

Network read_lines(std::string_view text, std::size_t& number) {
  std::optional<NetworkBuilder> builder;
  std::optional<Network> network;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = meaning(text.substr(at, end - at));
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    if (network) refuse("nothing may follow the line 'return ...'");
    if (!builder) {
      if (!begins_with_word(line, "network")) refuse("the first line must be 'network NAME'");
      builder.emplace(std::string(trim(line.substr(7))));
    } else if (line == "return") {
      refuse("'return' needs the name of a layer");
    } else if (begins_with_word(line, "return") && line.find('=') == std::string_view::npos) {
      network = builder->finish(read_outputs(*builder, line.substr(6)));
    } else {
      add_layer(*builder, line);
    }
  }
  if (!builder) refuse("it is empty");
  if (!network) refuse("the last line must be 'return NAME', the layer whose values are the answer");
  return std::move(*network);
}

}  // namespace

bool is_plain_default(const Layer& layer, std::size_t attribute) {
  const AttributeRow& row = layer.kind->attributes[attribute];
  if (row.default_text.empty() || row.type == AttributeType::kFunction) return false;
  if (layer.kind->family == LayerFamily::kDropout) return false;
  return layer.attributes[attribute] == parse_attribute(row, row.default_text);
}

std::string settings_text(const Layer& layer) {
  std::string text;
  for (std::size_t i = 0; i < layer.attributes.size(); ++i) {
    if (is_plain_default(layer, i)) continue;
    const AttributeRow& row = layer.kind->attributes[i];
    text += (text.empty() ? "" : ", ") + std::string(row.name) + "=" + attribute_text(layer.attributes[i]);
  }
  return text;
}

std::string network_text(const Network& network) {
  std::string text = "network " + network.name() + "\n";
  for (const Layer& layer : network.layers()) {
    std::string arguments;
    for (const LayerId input : layer.inputs) {
      arguments += (arguments.empty() ? "" : ", ") + network.layer(input).name;
    }
    const std::string settings = settings_text(layer);
    if (!settings.empty()) arguments += (arguments.empty() ? "" : ", ") + settings;
    if (layer.shares) arguments += ", shares=" + network.layer(layer.shares.value()).name;
    text += layer.name + " = " + std::string(layer.kind->name) + "(" + arguments + ")\n";
  }
  text += "return ";
  for (std::size_t i = 0; i < network.outputs().size(); ++i) {
    text += (i == 0 ? "" : ", ") + network.layer(network.outputs()[i]).name;
  }
  return text + "\n";
}

Network parse_network_text(std::string_view text) {
  std::size_t line = 0;
  try {
    return read_lines(text, line);
  } catch (const Error& error) {
    throw Error(error.code(), "line " + std::to_string(line) + ": " + error.what());
  }
}

}  // namespace actforge
