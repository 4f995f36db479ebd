#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "actforge/embed_answer.h"
#include "actforge/search/function_map.h"
#include "actforge/search/function_set.h"
#include "actforge/search/output_features.h"
#include "actforge/search/study.h"

namespace actforge::tool {

// Who is on a map beside the functions of a space; what `embed` and the page about a study share.

void add_known(FunctionSet& set, EmbedAnswer& answer);

// What the colours of trials say: the first objective. `answer` learns its name.
Objective add_objective(EmbedAnswer& answer, const StudySettings& settings);
// Its number in the set; nothing of a trial that is not over.
std::optional<std::size_t> add_trial(FunctionSet& set, EmbedAnswer& answer, const Objective& objective,
                                     const Trial& trial);

// Nothing where a text is no function: a study may have been written by anybody.
std::optional<Expr> try_parse(const std::string& text);

// Keeps these rows, which rise, in place: there may be gigabytes of them.
void keep_rows(Points& points, std::span<const std::uint32_t> kept);

// A map on which functions that differ by rounding alone share a place. Takes the features: there may be gigabytes.
struct TwinMap {
  Points places;
  std::size_t twins = 0;  // functions that are at the place of another
};
TwinMap map_with_twins(Points outputs, Points spectra, const MapOptions& options);

// Features of the functions that have finite outputs; the others are left out of the answer. Rows of `beside`, if
// there are any, go with them.
Points kept_outputs(EmbedAnswer& answer, const OutputOptions& options, Points* beside = nullptr);

}  // namespace actforge::tool
