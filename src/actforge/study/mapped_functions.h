#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/report/plots/map_chart.h"
#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/function_set.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/study/study.h"

namespace actforge {

struct MappedTrial {
  std::int64_t number = 0;
  std::string expression = {};
  std::optional<double> score = {};  // as people read it
};

// Functions and their places on a map: `functions` and the rows of `places` belong together; the others are by number.
struct MappedFunctions {
  std::string title = {};  // "aquasurf-3 by outputs"
  std::vector<Expr> functions = {};
  Points places = {};
  std::map<std::size_t, std::string> labels = {};  // of well-known functions
  std::map<std::size_t, MappedTrial> trials = {};
  std::string score_name = {};
  bool less_is_better = false;

  // Leaves out the functions that are not to be kept, before there are places; gives how many.
  std::size_t keep(const std::vector<bool>& kept);
};

// The first two coordinates.
FunctionMapPicture map_picture(const MappedFunctions& mapped);

// A table with a head: function, x, y (z; of more coordinates x1, x2, ...), label, trial, score. `write` gets it piece
// by piece.
void write_map_csv(const MappedFunctions& mapped, const std::function<void(std::string_view text)>& write);

// ---- which functions are on a map besides those of a space

void add_known(FunctionSet& set, MappedFunctions& mapped);

// What the colours of trials say: the first objective. `mapped` learns its name.
Objective add_objective(MappedFunctions& mapped, const StudySettings& settings);
// Its number in the set; nothing of a trial that is not over.
std::optional<std::size_t> add_trial(FunctionSet& set, MappedFunctions& mapped, const Objective& objective,
                                     const Trial& trial);

// Nothing if the text is not a function: a study's content cannot be trusted.
std::optional<Expr> try_parse(const std::string& text);

// ---- features and places

// Keeps these rows, which rise, in place: there may be gigabytes of them.
void keep_rows(Points& points, std::span<const std::uint32_t> kept);

// A map on which functions that differ by rounding alone share a place. Takes the features: there may be gigabytes.
struct TwinMap {
  Points places;
  std::size_t twins = 0;  // functions that are at the place of another
};
TwinMap map_with_twins(Points outputs, Points spectra, const MapOptions& options);

// Features of the functions that have finite outputs; the others are left out of `mapped`. Rows of `beside`, if there
// are any, go with them.
Points kept_outputs(MappedFunctions& mapped, const OutputOptions& options, Points* beside = nullptr);

}  // namespace actforge
