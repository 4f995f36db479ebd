#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/expr/fit/piecewise.h"
#include "actforge/search/maps/empty_points.h"
#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/output_features.h"

namespace actforge {

// Functions on a map by their outputs, one row each. Those of `outputs` are divided by √n (output_features.h).
struct OutputMap {
  OutputOptions inputs = {};  // where the outputs are of
  MapOptions options = {};
  Points outputs = {};
  Points places = {};

  std::size_t count() const { return outputs.count; }
};

// Throws Error (kBadInput) where an output is infinite or not a number.
OutputMap map_by_outputs(std::span<const Expr> functions, const OutputOptions& inputs, const MapOptions& options);
OutputMap map_by_outputs(Points outputs, const OutputOptions& inputs, const MapOptions& options);

struct NearFunction {
  std::size_t row = 0;
  double distance = 0;
};

// An activation function for a place of the map (paragraph "Reverse Engineering Activation Functions").
struct MadeFunction {
  PiecewiseFit fit;                // its errors are to the outputs that were wanted
  std::vector<float> wanted = {};  // those outputs, not divided by anything
  std::vector<float> place = {};
  // Where the function is when it is put on the map as any other, and how far that is from the place asked for. Many
  // functions share a place and not every place has one, so that the way back need not lead there.
  std::vector<float> landed = {};
  double missed_by = 0;
  std::vector<NearFunction> near_place = {};    // known functions by their distance from the place, the nearest first
  std::vector<NearFunction> near_outputs = {};  // and from the function, by outputs
};

struct ReverseOptions {
  PiecewiseOptions fit = {};
  std::uint64_t neighbours = 15;  // known functions of which the outputs are averaged
  std::uint64_t near = 3;         // that are named
  // The answer does not depend on the number of threads; nothing is drawn at random. The step "functions" counts those
  // that were made.
  RunContext run = {.threads = 0};
};

// Place -> outputs (inverse_transform) -> function of few pieces -> its outputs -> place. One for every row. Throws
// Error (kBadInput) for a map without functions and for places of another dimension.
std::vector<MadeFunction> reverse_engineer(const OutputMap& map, PointsView places, const ReverseOptions& options = {});

// A function whose score is known, by its row.
struct ScoredRow {
  std::size_t row = 0;
  double score = 0;
};
// What a regressor (surrogate/regressor.h) that has seen these scores expects at other places. Throws Error: kUsage for
// an unknown name, kBadInput without scores.
PointValues expected_scores(const OutputMap& map, std::span<const ScoredRow> scored, std::string_view regressor);

// `steps` places on the way from one place to another, both ends included; with four places, rows of a grid between
// them: the first two are the ends of the first row, the last two of the last one. Throws Error (kBadInput) for another
// number of places and fewer than two steps.
Points points_between(PointsView ends, std::size_t steps);

}  // namespace actforge
