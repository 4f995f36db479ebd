#include "actforge/search/maps/reverse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/maps/space_functions.h"
#include "actforge/space/find_space.h"
#include "actforge/surrogate/distances.h"

namespace actforge {
namespace {

// Some hundred functions of one or two operators that are finite and not too large, on a map.
struct World {
  std::vector<Expr> functions;
  OutputMap map;

  std::size_t row_of(const char* text) const {
    const Points row = output_features(std::vector<Expr>{parse(text)}, map.inputs);
    for (std::size_t i = 0; i < map.count(); ++i) {
      if (std::ranges::equal(row.row(0), map.outputs.row(i))) return i;
    }
    ADD_FAILURE() << text << " is not on the map";
    return 0;
  }
  PointsView place_of(std::size_t row) const { return PointsView(map.places).rows(row, 1); }
};

const World& world() {
  static const World kWorld = [] {
    World made;
    FunctionSet set;
    add_functions(set, find_space("unary(x)|unary(unary(x))"));
    const OutputOptions inputs = {.inputs = 80, .evenly = true};
    for (const Expr& function : set.functions()) {
      const Points row = output_features(std::vector<Expr>{function}, inputs);
      const bool small = std::ranges::all_of(row.values, [](float y) { return std::fabs(y) < 5; });
      if (small) made.functions.push_back(function);
    }
    made.map = map_by_outputs(made.functions, inputs, {.umap = {.min_dist = 0.5}});
    return made;
  }();
  return kWorld;
}

// sqrt(Σ (f - g)² / n) over the inputs of the map.
double output_distance(const Expr& f, const Expr& g) {
  const Points rows = output_features(std::vector<Expr>{f, g}, world().map.inputs);
  return distance(rows.row(0), rows.row(1), Metric::kEuclidean);
}

TEST(Reverse, ThePlaceOfAFunctionGivesThatFunctionBack) {
  for (const char* text : {"relu(x)", "swish(x)", "tanh(x)", "elu(x)", "softsign(x)"}) {
    const std::size_t row = world().row_of(text);
    const std::vector<MadeFunction> made = reverse_engineer(world().map, world().place_of(row), {.fit = {.knots = 24}});
    ASSERT_EQ(made.size(), 1U);
    EXPECT_LE(made[0].fit.rms_error, 1.01e-3) << text;
    EXPECT_NEAR(output_distance(made[0].fit.expr, parse(text)), made[0].fit.rms_error, 1e-4) << text;
    EXPECT_EQ(made[0].near_place[0].row, row);
    EXPECT_EQ(made[0].near_place[0].distance, 0);
    EXPECT_EQ(made[0].near_outputs[0].row, row);
    // relu comes back to the last bit, and so to its place; others nearly do.
    EXPECT_LT(made[0].missed_by, text == std::string("relu(x)") ? 1e-6 : 1.5) << text;
  }
}

TEST(Reverse, LandingIsWherePlacingTheFunctionLeads) {
  const Points places = Points::of(2, {world().map.places.row(3)[0] + 0.7F, world().map.places.row(3)[1] - 0.4F});
  const std::vector<MadeFunction> made = reverse_engineer(world().map, places);
  const Points outputs = output_features(std::vector<Expr>{made[0].fit.expr}, world().map.inputs);
  const Points landed =
      place_functions({.outputs = outputs}, {.outputs = world().map.outputs}, world().map.places, world().map.options);
  EXPECT_EQ(made[0].landed, std::vector<float>(landed.values));
  EXPECT_NEAR(made[0].missed_by, std::hypot(landed.values[0] - places.values[0], landed.values[1] - places.values[1]),
              1e-6);
  // And the outputs wanted are those of the inverse transform: a mean of neighbours, between their least and most.
  for (std::size_t i = 0; i < made[0].wanted.size(); ++i) {
    float least = INFINITY, most = -INFINITY;
    for (std::size_t row = 0; row < world().map.count(); ++row) {
      least = std::min(least, world().map.outputs.row(row)[i]);
      most = std::max(most, world().map.outputs.row(row)[i]);
    }
    const float scale = std::sqrt(80.0F);
    EXPECT_GE(made[0].wanted[i], scale * least - 1e-5F);
    EXPECT_LE(made[0].wanted[i], scale * most + 1e-5F);
  }
}

TEST(Reverse, TheWayFromReluToSwishLeadsFromOneToTheOther) {
  const std::size_t relu = world().row_of("relu(x)"), swish = world().row_of("swish(x)");
  Points ends(2, 2);
  std::ranges::copy(world().map.places.row(relu), ends.row(0).begin());
  std::ranges::copy(world().map.places.row(swish), ends.row(1).begin());
  const std::vector<MadeFunction> made = reverse_engineer(world().map, points_between(ends, 5), {.fit = {.knots = 24}});
  ASSERT_EQ(made.size(), 5U);
  EXPECT_LT(output_distance(made[0].fit.expr, parse("relu(x)")), 1e-3);
  EXPECT_LT(output_distance(made[4].fit.expr, parse("swish(x)")), 2e-3);
  // In between they are near both, by the standard of how different functions are here.
  const double apart = output_distance(parse("relu(x)"), parse("tanh(x)"));
  for (const MadeFunction& one : made) {
    EXPECT_LT(output_distance(one.fit.expr, parse("relu(x)")), apart / 2);
    EXPECT_LT(output_distance(one.fit.expr, parse("swish(x)")), apart / 2);
  }
}

TEST(Reverse, AnswersDoNotDependOnThreadsOrCompany) {
  const Points places = Points::of(2, {0.5F, 1.5F, -2, 3, 4, -1});
  const std::vector<MadeFunction> one = reverse_engineer(world().map, places, {.run = {.threads = 1}});
  const std::vector<MadeFunction> three = reverse_engineer(world().map, places, {.run = {.threads = 3}});
  const std::vector<MadeFunction> alone = reverse_engineer(world().map, PointsView(places).rows(1, 1));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one[i].fit.expr, three[i].fit.expr);
    EXPECT_EQ(one[i].landed, three[i].landed);
  }
  EXPECT_EQ(one[1].fit.expr, alone[0].fit.expr);
  EXPECT_EQ(one[1].landed, alone[0].landed);
}

TEST(Reverse, NormalInputsInAnyOrder) {
  const OutputMap map = map_by_outputs(world().functions, {.inputs = 500}, {});
  const std::size_t row = world().row_of("tanh(x)");
  const std::vector<MadeFunction> made = reverse_engineer(map, PointsView(map.places).rows(row, 1));
  EXPECT_LT(made[0].fit.rms_error, 2e-3);
  EXPECT_NEAR(Reference(made[0].fit.expr).value(0.5), std::tanh(0.5), 0.01);
}

TEST(Reverse, RefusesPlacesOfAnotherDimension) {
  EXPECT_THROW(reverse_engineer(world().map, Points(1, 3)), Error);
  EXPECT_THROW(reverse_engineer(world().map, Points::of(2, {NAN, 0})), Error);
  EXPECT_THROW(reverse_engineer({}, Points(1, 2)), Error);
  EXPECT_THROW(points_between(Points(3, 2), 5), Error);
  EXPECT_THROW(points_between(Points(2, 2), 1), Error);
}

TEST(Reverse, AFieldBetweenFourPlaces) {
  const Points corners = Points::of(2, {0, 0, 2, 0, 0, 4, 2, 4});
  const Points field = points_between(corners, 3);
  ASSERT_EQ(field.count, 9U);
  EXPECT_EQ(field.values, std::vector<float>({0, 0, 1, 0, 2, 0, 0, 2, 1, 2, 2, 2, 0, 4, 1, 4, 2, 4}));
}

// ---- empty places

// Every place of a fine grid within the points' hull, the slow way.
double slow_emptiest(const Points& map, const ConvexHull& hull) {
  double most = 0;
  for (double x = -4; x <= 4; x += 0.02) {
    for (double y = -4; y <= 4; y += 0.02) {
      if (!hull.contains({x, y})) continue;
      double least = INFINITY;
      for (std::size_t i = 0; i < map.count; ++i) {
        least = std::min(least, std::hypot(map.row(i)[0] - x, map.row(i)[1] - y));
      }
      most = std::max(most, least);
    }
  }
  return most;
}

Points cloud(std::size_t count, std::uint64_t seed) {
  Points points(count, 2);
  Random random(seed, 0, "cloud");
  for (float& value : points.values) value = static_cast<float>(random.normal());
  return points;
}

TEST(EmptyPlaces, TheLargestCircleIsFound) {
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    const Points map = cloud(40, seed);
    const std::vector<EmptyPoint> found = emptiest_points(map, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_GE(found[0].distance, 0.9998 * slow_emptiest(map, ConvexHull(map))) << seed;
    EXPECT_TRUE(ConvexHull(map).contains(found[0].at));
  }
}

TEST(EmptyPlaces, TheMiddleOfASquareIsEmptiest) {
  const Points square = Points::of(2, {0, 0, 2, 0, 0, 2, 2, 2});
  const std::vector<EmptyPoint> found = emptiest_points(square, 1);
  EXPECT_NEAR(found[0].at.x, 1, 1e-4);
  EXPECT_NEAR(found[0].at.y, 1, 1e-4);
  EXPECT_NEAR(found[0].distance, std::sqrt(2), 1e-6);
}

TEST(EmptyPlaces, HolesAreDifferentAndInOrder) {
  const Points map = cloud(200, 9);
  const std::vector<EmptyPoint> found = emptiest_points(map, 6);
  ASSERT_EQ(found.size(), 6U);
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_LE(found[i].distance, found[i - 1].distance);
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(std::hypot(found[i].at.x - found[j].at.x, found[i].at.y - found[j].at.y), found[j].distance);
    }
  }
}

TEST(EmptyPlaces, WhoWatchesCanStop) {
  const Points map = cloud(40, 3);
  std::size_t seen = 0;
  const RunContext run = {.stop = [&] { return seen == 2; },
                          .progress =
                              [&](std::string_view step, std::size_t done, std::size_t total) {
                                EXPECT_EQ(step, "holes");
                                EXPECT_EQ(total, 3u);
                                seen = done;
                              }};
  EXPECT_THROW(emptiest_points(map, 3, {.run = run}), Error);
  EXPECT_EQ(seen, 2u);
}

TEST(EmptyPlaces, TheBestExpectedIsEmptyAndBest) {
  const Points map = cloud(100, 4);
  const auto left_is_better = [](PointsView places) {
    std::vector<double> values;
    for (std::size_t i = 0; i < places.count; ++i) values.push_back(-static_cast<double>(places.row(i)[0]));
    return values;
  };
  const double clearance = usual_clearance(map);
  const EmptyPoint best = best_empty_point(map, clearance, left_is_better);
  EXPECT_GE(best.distance, clearance * (1 - 1e-6));
  EXPECT_EQ(best.value, -static_cast<double>(static_cast<float>(best.at.x)));
  // No place of a coarse grid that is as empty is farther left.
  const ConvexHull hull(map);
  for (double x = -4; x < best.at.x - 0.1; x += 0.05) {
    for (double y = -4; y <= 4; y += 0.05) {
      if (!hull.contains({x, y})) continue;
      double least = INFINITY;
      for (std::size_t i = 0; i < map.count; ++i) {
        least = std::min(least, std::hypot(map.row(i)[0] - x, map.row(i)[1] - y));
      }
      EXPECT_LT(least, clearance + 0.05) << x << " " << y;
    }
  }
  EXPECT_THROW(best_empty_point(map, 100, left_is_better), Error);
}

TEST(EmptyPlaces, ClearanceIsThatOfNineteenInTwenty) {
  Points line(100, 2);
  for (std::size_t i = 0; i < 100; ++i) line.row(i)[0] = static_cast<float>(i < 94 ? i : 10 * i);
  EXPECT_EQ(usual_clearance(line), 10);
  EXPECT_EQ(usual_clearance(Points(1, 2)), 0);
}

TEST(EmptyPlaces, PointsThatEncloseNothingAreRefused) {
  EXPECT_THROW(emptiest_points(Points(2, 2), 1), Error);
  EXPECT_THROW(emptiest_points(Points(), 1), Error);
  EXPECT_THROW(emptiest_points(Points(9, 2), 1), Error);  // all in one place
  EXPECT_THROW(emptiest_points(Points::of(2, {0, 0, 1, 1, 2, 2, 3, 3}), 1), Error);
  EXPECT_THROW(emptiest_points(Points(5, 3), 1), Error);
}

TEST(EmptyPlaces, ScoresAreExpectedFromThoseKnown) {
  const World& w = world();
  std::vector<ScoredRow> scored;
  for (std::size_t row = 0; row < w.map.count(); row += 7) {
    scored.push_back({.row = row, .score = static_cast<double>(w.map.places.row(row)[0])});
  }
  for (const char* name : {"knn", "gp"}) {
    const PointValues expected = expected_scores(w.map, scored, name);
    const EmptyPoint best = best_empty_point(w.map.places, usual_clearance(w.map.places), expected);
    // Scores are better on the right: so is the place.
    double right = -INFINITY, left = INFINITY;
    for (std::size_t i = 0; i < w.map.count(); ++i) {
      right = std::max(right, static_cast<double>(w.map.places.row(i)[0]));
      left = std::min(left, static_cast<double>(w.map.places.row(i)[0]));
    }
    EXPECT_GT(best.at.x, left + 0.7 * (right - left)) << name;
  }
  EXPECT_THROW(expected_scores(w.map, scored, "knnn"), Error);
  EXPECT_THROW(expected_scores(w.map, {}, "knn"), Error);
}

}  // namespace
}  // namespace actforge
