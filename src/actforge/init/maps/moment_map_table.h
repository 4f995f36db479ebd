#pragma once

#include "actforge/init/maps/size_variance.h"

namespace actforge {

// What a kind of layer does to signals. The columns are references, so that a row that forgets one does not compile;
// uniform_profile() and usual_spread() are the answers of kinds with nothing of their own to say.
struct MomentMapRow {
  const LayerKind& kind;
  MomentResult (&map)(const MomentQuery& question);
  // Of images alone. `answer` is the map's, as the analysis took it.
  ProfilePointer (&profile)(const MomentQuery& question, const MomentResult& answer);
  // Of layers with inputs.
  SizeVariance (&spread)(const MomentQuery& question, const MomentResult& answer);
  // Of layers whose output AutoInit gives the wanted variance: the sum of squares that a kernel of unit variance would
  // make of the inputs, Σ E x² over the numbers that an output number sums, averaged over the places of the output.
  // Null where it leaves the weights alone: a recurrent layer's gates bound its output, and a table of positions is
  // only added to a signal.
  double (*gain)(const MomentQuery& question) = nullptr;
};

// Throws Error (kFailed) where the kind has no row.
const MomentMapRow& find_moment_map(const LayerKind& kind);

// Profile and spread of a layer's output.
ProfilePointer next_profile(const MomentMapRow& row, const MomentQuery& question, const MomentResult& answer);
SizeVariancePointer next_spread(const MomentMapRow& row, const MomentQuery& question, const MomentResult& answer);

// The rows, each in the file of its family: a new kind is its functions and a row there.
std::span<const MomentMapRow> basic_maps();      // basic.cpp
std::span<const MomentMapRow> linear_maps();     // linear.cpp
std::span<const MomentMapRow> merge_maps();      // merge.cpp
std::span<const MomentMapRow> norm_maps();       // norm.cpp
std::span<const MomentMapRow> pool_maps();       // pool.cpp
std::span<const MomentMapRow> recurrent_maps();  // recurrent.cpp
std::span<const MomentMapRow> shape_maps();      // shape.cpp

}  // namespace actforge
