#include "actforge/search/maps/reverse.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/regressor.h"
#include "actforge/surrogate/transform.h"

namespace actforge {
namespace {

std::vector<NearFunction> nearest_rows(PointsView asked, PointsView points, std::size_t count) {
  const NeighbourLists nearest = neighbours_of(asked, points, {.size = count, .run = {.threads = 1}});
  std::vector<NearFunction> rows;
  rows.reserve(nearest.size);
  for (std::size_t i = 0; i < nearest.size; ++i) {
    rows.push_back({.row = nearest.indices(0)[i], .distance = static_cast<double>(nearest.distances(0)[i])});
  }
  return rows;
}

PiecewiseFit fit_outputs(std::span<const float> inputs, std::span<const float> outputs,
                         const PiecewiseOptions& options) {
  const std::vector<double> x(inputs.begin(), inputs.end()), y(outputs.begin(), outputs.end());
  return fit_piecewise(x, y, options);
}

MadeFunction make_function(const OutputMap& map, std::span<const float> features, const ReverseOptions& options) {
  const std::vector<float> inputs = output_inputs(map.inputs);
  const float scale = std::sqrt(static_cast<float>(inputs.size()));
  std::vector<float> wanted(features.begin(), features.end());
  for (float& y : wanted) y *= scale;
  return {.fit = fit_outputs(inputs, wanted, options.fit), .wanted = std::move(wanted)};
}

}  // namespace

OutputMap map_by_outputs(Points outputs, const OutputOptions& inputs, const MapOptions& options) {
  OutputMap map = {.inputs = inputs, .options = options, .outputs = std::move(outputs)};
  map.places = map_functions({.outputs = map.outputs}, options);
  return map;
}

OutputMap map_by_outputs(std::span<const Expr> functions, const OutputOptions& inputs, const MapOptions& options) {
  return map_by_outputs(output_features(functions, inputs), inputs, options);
}

std::vector<MadeFunction> reverse_engineer(const OutputMap& map, PointsView places, const ReverseOptions& options) {
  if (map.count() == 0) throw Error(ErrorCode::kBadInput, "a map without functions has no places to come back from");
  check_same_width(places, map.places);
  check_finite(places, "places");
  const Points features = inverse_transform(places, map.places, map.outputs, options.neighbours);
  std::vector<MadeFunction> made(places.count);
  parallel_for(thread_count(options.run.threads), places.count, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      options.run.check();
      made[i] = make_function(map, features.row(i), options);
    }
  });
  std::vector<Expr> functions;
  functions.reserve(made.size());
  for (const MadeFunction& one : made) functions.push_back(one.fit.expr);
  const Points outputs = output_features(functions, map.inputs);
  MapOptions how = map.options;
  how.umap.run = options.run;
  how.umap.run.seed = map.options.umap.run.seed;
  const Points landed = place_functions({.outputs = outputs}, {.outputs = map.outputs}, map.places, how);
  for (std::size_t i = 0; i < made.size(); ++i) {
    options.run.show("functions", i, made.size());
    const PointsView place = places.rows(i, 1);
    made[i].place.assign(place.row(0).begin(), place.row(0).end());
    made[i].landed.assign(landed.row(i).begin(), landed.row(i).end());
    made[i].missed_by = distance(made[i].place, made[i].landed, Metric::kEuclidean);
    made[i].near_place = nearest_rows(place, map.places, options.near);
    made[i].near_outputs = nearest_rows(PointsView(outputs).rows(i, 1), map.outputs, options.near);
  }
  return made;
}

PointValues expected_scores(const OutputMap& map, std::span<const ScoredRow> scored, std::string_view regressor) {
  const std::shared_ptr<Regressor> fitted =
      find_regressor(regressor).make({.seed = map.options.umap.run.seed, .threads = 0});
  Points places(scored.size(), map.places.width);
  std::vector<double> scores;
  for (std::size_t i = 0; i < scored.size(); ++i) {
    std::ranges::copy(map.places.row(scored[i].row), places.row(i).begin());
    scores.push_back(scored[i].score);
  }
  fitted->fit(places, scores);
  return [fitted](PointsView asked) { return fitted->predict(asked); };
}

Points points_between(PointsView ends, std::size_t steps) {
  if (ends.count != 2 && ends.count != 4) {
    throw Error(ErrorCode::kBadInput,
                "places lie between two, or within four; there are " + std::to_string(ends.count));
  }
  if (steps < 2) throw Error(ErrorCode::kBadInput, "from one place to another it takes two steps at least");
  const std::size_t rows = ends.count == 2 ? 1 : steps;
  Points places(rows * steps, ends.width);
  const auto share = [&](std::size_t i, std::size_t count) {
    return count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
  };
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < steps; ++c) {
      const double down = share(r, rows), across = share(c, steps);
      for (std::size_t d = 0; d < ends.width; ++d) {
        const auto at = [&](std::size_t i) { return static_cast<double>(ends.row(i)[d]); };
        const double top = (1 - across) * at(0) + across * at(1);
        const double bottom = rows == 1 ? top : (1 - across) * at(2) + across * at(3);
        places.row(r * steps + c)[d] = static_cast<float>((1 - down) * top + down * bottom);
      }
    }
  }
  return places;
}

}  // namespace actforge
