// What takes long in making maps can be stopped at every step, in every thread.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "actforge/base/error.h"
#include "actforge/search/maps/reverse.h"
#include "actforge/search/maps/rounding_twins.h"
#include "actforge/search/maps/space_functions.h"
#include "actforge/search/maps/surrogate_map.h"
#include "tests/search/problems.h"

namespace actforge {
namespace {

// `work` is told to stop at the first question, at the last, and at some between.
void expect_stops(const char* what, const std::function<void(const RunContext&)>& work) {
  for (const std::size_t threads : {1, 3}) {
    std::atomic<std::size_t> asked = 0;
    work({.threads = threads, .stop = [&] { return ++asked == 0; }});
    ASSERT_GT(asked, 0u) << what;
    const std::size_t all = asked;
    for (const std::size_t at : {std::size_t{1}, 1 + all / 3, 1 + all / 2, all}) {
      asked = 0;
      try {
        work({.threads = threads, .stop = [&] { return ++asked >= at; }});
        ADD_FAILURE() << what << " went on after question " << at << " of " << all;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled) << what;
      }
      EXPECT_LE(asked, at + threads) << what;
    }
  }
}

Space pairs() {
  return Space({.name = "pairs",
                .unary = tame_unary(),
                .binary = tame_binary(),
                .schemas = {"binary(unary(x),unary(x))", "unary(unary(x))"}});
}

TEST(Cancel, MapsOfFunctions) {
  const Space space = pairs();
  FunctionSet set;
  add_functions(set, space, {.count = 150});
  const std::vector<Expr>& functions = set.functions();
  const Points outputs = output_features(functions, {.inputs = 40});
  expect_stops("output features",
               [&](const RunContext& run) { output_features(functions, {.inputs = 40, .run = run}); });
  expect_stops("rounding twins", [&](const RunContext& run) { rounding_twins(outputs, run); });
  expect_stops("a map", [&](const RunContext& run) {
    map_functions({.outputs = outputs}, {.umap = {.epochs = 10, .run = run}});
  });
  expect_stops("functions of a space", [&](const RunContext& run) {
    FunctionSet other;
    add_functions(other, space, {.count = 50, .run = run});
  });
  expect_stops("functions drawn from a space", [&](const RunContext& run) {
    FunctionSet other;
    add_functions(other, space, {.count = 50, .draw = true, .run = run});
  });
}

TEST(Cancel, PoolsAndTheMapOfAStrategy) {
  const Space space = pairs();
  expect_stops("a pool", [&](const RunContext& run) {
    CandidatePool pool(space, {.run = run});
    pool.reach(60);
  });
  expect_stops("a strategy's map", [&](const RunContext& run) {
    SurrogateMap map(space, {.pool = {.run = run},
                             .size = 80,
                             .outputs = {.inputs = 40, .run = run},
                             .map = {.umap = {.epochs = 10, .run = run}}});
    map.update();
  });
}

TEST(Cancel, ReverseEngineering) {
  const Space space = pairs();
  FunctionSet set;
  add_functions(set, space, {.count = 120});
  const OutputMap map = map_by_outputs(set.functions(), {.inputs = 40, .evenly = true}, {.umap = {.epochs = 20}});
  const PointsView places = PointsView(map.places).rows(0, 6);
  expect_stops("functions for places", [&](const RunContext& run) { reverse_engineer(map, places, {.run = run}); });
  expect_stops("holes", [&](const RunContext& run) { emptiest_points(map.places, 3, {.grid = 40, .run = run}); });
}

}  // namespace
}  // namespace actforge
