// Output features, and maps made of them.
#include "actforge/search/maps/function_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/quality.h"
#include "actforge/surrogate/transform.h"
#include "tests/search/problems.h"

namespace actforge {
namespace {

std::vector<Expr> some_functions(std::size_t count) {
  const Space space = tame_trees();
  Random random(4);
  std::vector<Expr> functions;
  for (std::size_t i = 0; i < count; ++i) functions.push_back(space.sample(random));
  return functions;
}

TEST(OutputFeatures, DistanceIsTheDissertations) {
  const std::vector<Expr> functions = {parse("relu(x)"), parse("swish(x)"), parse("alpha[2](tanh(x))")};
  for (const OutputOptions& options :
       {OutputOptions{}, OutputOptions{.inputs = 7, .evenly = true}, OutputOptions{.inputs = 50, .run = {.seed = 3}}}) {
    const std::vector<float> inputs = output_inputs(options);
    ASSERT_EQ(inputs.size(), options.inputs);
    const Points features = output_features(functions, options);
    for (std::size_t a = 0; a < functions.size(); ++a) {
      for (std::size_t b = 0; b < functions.size(); ++b) {
        const Reference first(functions[a]), second(functions[b]);
        double sum = 0;
        for (const float x : inputs) sum += std::pow(first.value(x) - second.value(x), 2);
        EXPECT_NEAR(distance(features.row(a), features.row(b), Metric::kEuclidean),
                    std::sqrt(sum / static_cast<double>(inputs.size())), 1e-5);
      }
    }
  }
}

TEST(OutputFeatures, InputsAreWhereTheySay) {
  EXPECT_EQ(output_inputs({.inputs = 5, .evenly = true}), (std::vector<float>{-5, -2.5, 0, 2.5, 5}));
  EXPECT_EQ(output_inputs({.inputs = 1, .evenly = true}), std::vector<float>{0});
  double sum = 0, squares = 0;
  const std::vector<float> normal = output_inputs({.inputs = 20000});
  for (const float x : normal) {
    EXPECT_LE(std::fabs(x), 5);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

TEST(OutputFeatures, SameOnAnyNumberOfThreads) {
  const std::vector<Expr> functions = some_functions(37);
  EXPECT_EQ(output_features(functions, {.run = {.threads = 1}}).values,
            output_features(functions, {.run = {.threads = 3}}).values);
  EXPECT_EQ(output_features({}, {}).count, 0u);
}

TEST(OutputFeatures, TellsWhatIsNotFinite) {
  const Points features = output_features(std::vector<Expr>{parse("1/(x-x)"), parse("x"), parse("sqrt(x)")}, {});
  EXPECT_FALSE(is_finite(features.row(0)));
  EXPECT_TRUE(is_finite(features.row(1)));
  EXPECT_FALSE(is_finite(features.row(2)));
}

// What the map of both is made of, step by step.
TEST(FunctionMap, OfBothIsTheUnion) {
  const std::vector<Expr> functions = some_functions(120);
  const Points outputs = output_features(functions, {.inputs = 60});
  Points spectra(120, 9);
  Random random(8);
  for (float& value : spectra.values) value = static_cast<float>(random.uniform());
  const MapOptions options = {.output_neighbours = 10, .spectrum_neighbours = 4, .umap = {.epochs = 30}};
  const FuzzyGraph by_outputs = fuzzy_graph(neighbours_among(outputs, {.metric = Metric::kEuclidean, .size = 10}));
  const FuzzyGraph by_spectra = fuzzy_graph(neighbours_among(spectra, {.metric = Metric::kManhattan, .size = 4}));
  EXPECT_EQ(map_functions({.outputs = outputs, .spectra = spectra}, options).values,
            umap_layout(combine_graphs(by_spectra, by_outputs, Combination::kUnion), options.umap).values);
  EXPECT_EQ(map_functions({.outputs = outputs}, options).values, umap_layout(by_outputs, options.umap).values);
  EXPECT_EQ(map_functions({.spectra = spectra}, options).values, umap_layout(by_spectra, options.umap).values);
}

TEST(FunctionMap, KeepsFunctionsOfAlikeShapeTogether) {
  const Points outputs = output_features(some_functions(400), {.inputs = 100});
  const std::vector<float> far = distances_among(outputs, Metric::kEuclidean);
  EXPECT_GT(trustworthiness(far, map_functions({.outputs = outputs}), 10), 0.95);
}

TEST(FunctionMap, LaterFunctionsGetPlacesOfTheirOwn) {
  const std::vector<Expr> functions = some_functions(150);
  const Points outputs = output_features(functions, {.inputs = 80});
  const MapOptions options = {.umap = {.epochs = 60}};
  const PointsView base = PointsView(outputs).rows(0, 140), later = PointsView(outputs).rows(140, 10);
  const Points map = map_functions({.outputs = base}, options);
  const Points together = place_functions({.outputs = later}, {.outputs = base}, map, options);
  for (std::size_t i = 0; i < 10; ++i) {
    const Points alone = place_functions({.outputs = later.rows(i, 1)}, {.outputs = base}, map, options);
    EXPECT_EQ(alone.row(0)[0], together.row(i)[0]);
    EXPECT_EQ(alone.row(0)[1], together.row(i)[1]);
  }
  // A function that is there already is where it is.
  const Points again = place_functions({.outputs = base.rows(17, 1)}, {.outputs = base}, map, options);
  EXPECT_EQ(again.row(0)[0], map.row(17)[0]);
  EXPECT_EQ(again.row(0)[1], map.row(17)[1]);
}

TEST(FunctionMap, RefusesWhatIsNotFinite) {
  Points outputs(5, 3);
  outputs.row(2)[1] = NAN;
  EXPECT_THROW(map_functions({.outputs = outputs}), Error);
}

}  // namespace
}  // namespace actforge
