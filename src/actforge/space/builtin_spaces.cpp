#include "actforge/space/builtin_spaces.h"

#include <array>
#include <charconv>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// Table "The operator search space", at most seven nodes and three parameters.
SpaceDefinition pangaea() { return {.name = "pangaea", .max_nodes = 7, .parameters = 3}; }

// Appendix "Activation Function Search Spaces", with the operators of PANGAEA.
SpaceDefinition aquasurf_3() { return {.name = "aquasurf-3", .schemas = {"binary(unary(x),unary(x))"}}; }

SpaceDefinition aquasurf_4() {
  return {.name = "aquasurf-4",
          .schemas = {"binary(unary(unary(x)),unary(x))", "binary(unary(x),unary(unary(x)))",
                      "nary(unary(x),unary(x),unary(x))", "unary(binary(unary(x),unary(x)))",
                      "unary(unary(unary(unary(x))))"}};
}

constexpr std::array<BuiltinSpace, 5> kTable = {{
    {"cafe-s1", "CAFE: one core unit, binary(unary(x),unary(x)), with CAFE's operators", [] { return cafe_space(1); }},
    {"cafe-s2", "CAFE: core units of core units; cafe-s3 and so on nest deeper", [] { return cafe_space(2); }},
    {"pangaea", "PANGAEA: all graphs of up to seven nodes, up to three learnable parameters", pangaea},
    {"aquasurf-3", "AQuaSurF's benchmarks: binary(unary(x),unary(x)), with PANGAEA's operators", aquasurf_3},
    {"aquasurf-4", "AQuaSurF's new tasks: five shapes of four nodes", aquasurf_4},
}};

}  // namespace

std::span<const BuiltinSpace> builtin_spaces() { return kTable; }

SpaceDefinition cafe_space(int depth) {
  if (depth < 1 || depth > kDeepestCafe) {
    throw Error(ErrorCode::kBadInput, "cafe-sD goes from cafe-s1 to cafe-s" + std::to_string(kDeepestCafe));
  }
  return {.name = "cafe-s" + std::to_string(depth),
          .unary = {cafe_unary().begin(), cafe_unary().end()},
          .binary = {cafe_binary().begin(), cafe_binary().end()},
          .schemas = {Schema::cafe_text(depth)}};
}

std::optional<SpaceDefinition> find_builtin_space(std::string_view name) {
  for (const BuiltinSpace& row : kTable) {
    if (row.name == name) return row.define();
  }
  constexpr std::string_view kCafe = "cafe-s";
  if (!name.starts_with(kCafe)) return std::nullopt;
  const std::string_view digits = name.substr(kCafe.size());
  int depth = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), depth);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) return std::nullopt;
  return cafe_space(depth);
}

}  // namespace actforge
