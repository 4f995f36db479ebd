#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actforge/search/maps/reverse.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/space/space.h"

namespace actforge {

// Which functions are on the map, and how it is made.
struct ReverseMapOptions {
  std::uint64_t count = 3000;  // of the space, at random; all if there are fewer
  // As for the dissertation's Figure "interpolation": they "improved the quality of the reconstructed activation
  // functions".
  OutputOptions inputs = {.inputs = 80, .evenly = true};
  MapOptions map = {.umap = {.min_dist = 0.5}};
  double largest = 1000;  // functions with an output beyond it stay off the map
};

// A map, with the functions that its rows are of.
struct ReverseMap {
  std::vector<Expr> functions = {};
  OutputMap map = {};
  std::map<std::size_t, std::string> names = {};  // of well-known functions
  std::vector<std::size_t> wanted = {};           // rows of the functions that were given
  std::vector<ScoredRow> scored = {};             // of the study's trials
  std::size_t twins = 0;                          // that differ from another by rounding alone, and share its row
  std::size_t left_out = 0;                       // whose outputs are infinite, undefined or too large
};

struct ReverseSources {
  const Space* space = nullptr;
  std::vector<Expr> wanted = {};
  std::string study = {};  // location of a study, or empty
};

// Runs as options.map.umap says. Throws Error.
ReverseMap make_reverse_map(const ReverseSources& sources, const ReverseMapOptions& options);

// The emptiest places; of a map with a study's trials, the one empty place where the best score is expected.
struct EmptyPlacesOptions {
  std::size_t count = 1;  // without a study
  // With a study: least distance to every function (usual_clearance()), and what predicts scores.
  std::optional<double> clearance = {};
  std::string regressor = "knn";
  RunContext run = {.threads = 0};
};
struct EmptyPlaces {
  Points places = {};
  std::vector<double> clearance = {};   // of each
  std::optional<double> expected = {};  // the score, as people read it
  std::string score_name = {};
};
// `study` as in ReverseSources. Throws Error.
EmptyPlaces empty_places(const ReverseMap& map, const std::string& study, const EmptyPlacesOptions& options);

// For which places of a map functions are made: one of `at`, `between` and `empty`.
struct ReverseQuestion {
  const Space* space = nullptr;
  std::string study = {};          // as in ReverseSources
  Points at = {};                  // coordinates
  std::vector<Expr> between = {};  // two functions or four: places on the way, `steps` of them (points_between())
  std::size_t steps = 5;
  bool empty = false;  // empty_places()
  EmptyPlacesOptions empty_places = {};
  ReverseMapOptions map = {};
  ReverseOptions reverse = {};
};
struct ReverseAnswer {
  ReverseMap map = {};
  std::vector<MadeFunction> made = {};
  EmptyPlaces empty = {};  // where these were asked for
};
// Throws Error; kCancelled where the context says stop.
ReverseAnswer answer_reverse(const ReverseQuestion& question, const RunContext& run);

}  // namespace actforge
