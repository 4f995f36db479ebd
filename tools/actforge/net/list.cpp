#include <fmt/format.h>

#include <memory>

#include "actforge/net/zoo/zoo.h"
#include "actforge/space/integer.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

nlohmann::json network_rows() {
  nlohmann::json rows = nlohmann::json::array();
  for (const Architecture& row : architectures()) {
    rows.push_back({{"name", row.name},
                    {"example", row.example},
                    {"input", row.input()},
                    {"recipe", row.recipe},
                    {"summary", row.summary},
                    {"weights", build_network(row.example).weight_count()}});
  }
  return rows;
}

void print_networks() {
  fmt::print("{:<17} {:<17} {:>9} {:>11}  {:<10}  {}\n", "network", "example", "input", "weights", "recipe",
             "what it is");
  for (const Architecture& row : architectures()) {
    fmt::print("{:<17} {:<17} {:>9} {:>11}  {:<10}  {}\n", row.name, row.example, shape_text(row.input()),
               with_commas(build_network(row.example).weight_count()), row.recipe, row.summary);
  }
  fmt::print(
      "\nCapital letters stand for numbers. Weights are those of the example with that input and ten classes.\n");
}

nlohmann::json layer_rows() {
  nlohmann::json rows = nlohmann::json::array();
  for (const LayerKind* kind : layer_kinds()) {
    nlohmann::json settings = nlohmann::json::array();
    for (const AttributeRow& row : kind->attributes) {
      settings.push_back({{"name", row.name},
                          {"default", row.default_text.empty() ? nlohmann::json(nullptr) : row.default_text},
                          {"help", row.help}});
    }
    rows.push_back({{"name", kind->name},
                    {"family", family_name(kind->family)},
                    {"summary", kind->summary},
                    {"least_inputs", kind->least_inputs},
                    {"most_inputs", kind->most_inputs},
                    {"settings", settings}});
  }
  return rows;
}

std::string input_text(const LayerKind& kind) {
  if (kind.most_inputs == kManyInputs) return fmt::format("{} or more", kind.least_inputs);
  return std::to_string(kind.least_inputs);
}

void print_layers() {
  fmt::print("{:<19} {:<13} {:<9}  {}\n", "layer", "family", "inputs", "what it does, and its settings");
  for (const LayerKind* kind : layer_kinds()) {
    fmt::print("{:<19} {:<13} {:<9}  {}\n", kind->name, family_name(kind->family), input_text(*kind), kind->summary);
    for (const AttributeRow& row : kind->attributes) {
      const std::string value = row.default_text.empty() ? "..." : std::string(row.default_text);
      fmt::print("    {:<22}{}\n", fmt::format("{}={}", row.name, value), row.help);
    }
  }
  fmt::print("\nA setting shows its default; '...' must be given.\n");
}

}  // namespace

VerbAction add_net_list(CLI::App& verb) {
  struct Options {
    bool layers = false;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  verb.add_flag("--layers", options->layers, "The kinds of layers and their settings instead");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] {
    if (options->json) {
      print_json(options->layers ? layer_rows() : network_rows());
    } else if (options->layers) {
      print_layers();
    } else {
      print_networks();
    }
    return 0;
  };
}

}  // namespace actforge::tool
