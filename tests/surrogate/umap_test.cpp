#include "actforge/surrogate/umap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "actforge/base/error.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/quality.h"
#include "actforge/surrogate/spectral_layout.h"
#include "actforge/surrogate/transform.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

// The minimum that scipy.optimize.curve_fit finds.
TEST(MembershipCurve, IsTheLeastSquaresFit) {
  const MembershipCurve usual = fit_membership_curve(1, 0.1);
  EXPECT_NEAR(usual.a, 1.57694346, 1e-5);
  EXPECT_NEAR(usual.b, 0.89506088, 1e-5);
  const MembershipCurve wide = fit_membership_curve(1, 0.5);
  EXPECT_NEAR(wide.a, 0.58303, 1e-4);
  EXPECT_NEAR(wide.b, 1.33417, 1e-4);
  EXPECT_THROW(fit_membership_curve(1, 2), Error);
  EXPECT_THROW(fit_membership_curve(0, 0), Error);
}

void expect_finite(const Points& points) {
  for (const float value : points.values) ASSERT_TRUE(std::isfinite(value));
}

TEST(Umap, IsTheSameToTheLastBitOnAnyNumberOfThreads) {
  const Points features = random_points(700, 8);
  for (const std::uint64_t dimensions : {2, 5}) {
    const Points one =
        umap(features, {.run = {.threads = 1}}, {.dimensions = dimensions, .epochs = 60, .run = {.threads = 1}});
    for (const std::size_t threads : {2, 3, 7}) {
      const UmapOptions options = {.dimensions = dimensions, .epochs = 60, .run = {.threads = threads}};
      EXPECT_EQ(umap(features, {.run = {.threads = threads}}, options).values, one.values);
    }
    EXPECT_NE(umap(features, {}, {.dimensions = dimensions, .epochs = 60, .run = {.seed = 1}}).values, one.values);
  }
}

TEST(Umap, TellsItsProgress) {
  const Points features = random_points(300, 8);
  for (const std::size_t threads : {1, 2, 5}) {
    std::map<std::string, std::vector<std::size_t>, std::less<>> steps;
    const RunContext run = {.threads = threads,
                            .progress = [&](std::string_view step, std::size_t done, std::size_t total) {
                              EXPECT_EQ(total, step == "layout" ? 30u : 600u) << step;
                              steps[std::string(step)].push_back(done);
                            }};
    const Points told = umap(features, {.exact_limit = 0, .run = run}, {.epochs = 30, .run = run});
    EXPECT_EQ(told.values, umap(features, {.exact_limit = 0}, {.epochs = 30}).values);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps["layout"].size(), 30u);
    EXPECT_FALSE(steps["neighbours"].empty());
    for (const auto& [step, done] : steps) EXPECT_TRUE(std::is_sorted(done.begin(), done.end())) << step;
  }
}

// Says stop when it is asked for the n-th time, and from then on.
class StopAt {
 public:
  explicit StopAt(std::size_t n, std::size_t threads) : n_(n), threads_(threads) {}
  RunContext run() {
    return {.threads = threads_, .stop = [this] { return ++asked_ >= n_; }};
  }
  std::size_t asked() const { return asked_; }

 private:
  std::size_t n_, threads_;
  std::atomic<std::size_t> asked_ = 0;
};

constexpr std::size_t kNever = ~std::size_t{0};

void expect_stops(const std::function<void(const RunContext&)>& work, const char* what) {
  for (const std::size_t threads : {1, 3}) {
    StopAt never(kNever, threads);
    work(never.run());
    ASSERT_GT(never.asked(), 1u) << what;
    for (const std::size_t n : {std::size_t{1}, never.asked() / 2, never.asked()}) {
      StopAt stop(n, threads);
      try {
        work(stop.run());
        ADD_FAILURE() << what << " goes on, though it was asked to stop at question " << n;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled) << what;
      }
      EXPECT_LE(stop.asked(), n + threads) << what;  // each thread leaves at its next question
    }
  }
}

TEST(Umap, EveryStepCanBeStoppedAnywhere) {
  const Points features = random_points(600, 8);
  const FuzzyGraph graph = fuzzy_graph(neighbours_among(features, {}));
  const Points embedding = umap_layout(graph, {.epochs = 5});
  expect_stops([&](const RunContext& run) { neighbours_among(features, {.run = run}); }, "exact neighbours");
  expect_stops([&](const RunContext& run) { neighbours_among(features, {.exact_limit = 0, .run = run}); }, "the graph");
  expect_stops([&](const RunContext& run) { fuzzy_graph(neighbours_among(features, {}), run); }, "the fuzzy graph");
  expect_stops([&](const RunContext& run) { spectral_layout(graph, {.run = run}); }, "the spectral start");
  expect_stops([&](const RunContext& run) { umap_layout(graph, {.epochs = 20, .run = run}); }, "the layout");
  expect_stops([&](const RunContext& run) { transform(features, features, embedding, {}, {.run = run}); },
               "new points");
}

TEST(Umap, UnrollsASwissRoll) {
  const Points features = swiss_roll(600);
  const std::vector<float> all = distances_among(features, Metric::kEuclidean);
  for (const std::uint64_t dimensions : {2, 5, 10}) {
    const Points embedding = umap(features, {}, {.dimensions = dimensions});
    EXPECT_EQ(embedding.width, dimensions);
    EXPECT_GT(trustworthiness(all, embedding, 15), 0.99);
    EXPECT_GT(neighbour_preservation(all, embedding, 15), 0.65);
  }
}

TEST(Umap, OfFewPoints) {
  for (const std::size_t count : {0, 1, 2, 3, 4}) {
    const Points embedding = umap(random_points(count, 5), {}, {.dimensions = 3});
    EXPECT_EQ(embedding.count, count);
    EXPECT_EQ(embedding.width, 3u);
    expect_finite(embedding);
    EXPECT_TRUE(count != 1 || embedding.values == std::vector<float>(3));
  }
}

TEST(Umap, OfConstantFeaturesIsACloudOfDifferentPlaces) {
  const Points embedding = umap(Points::of(4, std::vector<float>(400, 3)), {});
  expect_finite(embedding);
  const NeighbourLists near = neighbours_among(embedding, {.size = 2});
  for (std::size_t i = 0; i < embedding.count; ++i) EXPECT_GT(near.distances(i)[1], 0);
}

TEST(Umap, PutsDuplicatesSideBySide) {
  Points features = random_points(400, 10);
  for (std::size_t i = 0; i < 200; ++i) std::copy_n(features.row(i).begin(), 10, features.row(200 + i).begin());
  const Points embedding = umap(features, {});
  expect_finite(embedding);
  double together = 0;
  for (std::size_t i = 0; i < 200; ++i)
    together += distance(embedding.row(i), embedding.row(200 + i), Metric::kEuclidean);
  EXPECT_LT(together / 200, 0.5);
}

TEST(Umap, OfSeparatePartsKeepsThemTogether) {
  const Points features = balls(5, 30, 6);
  const Points embedding = umap(features, {.size = 8});
  expect_finite(embedding);
  const NeighbourLists near = neighbours_among(embedding, {.size = 6});
  for (std::size_t i = 0; i < embedding.count; ++i) {
    for (const std::uint32_t j : near.indices(i)) EXPECT_EQ(i / 30, j / 30);
  }
}

TEST(Umap, RefusesFeaturesThatAreNotFinite) {
  Points features = random_points(20, 3);
  features.row(5)[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(umap(features, {}), Error);
}

TEST(UmapFields, TakeWhatTheyPrint) {
  for (const UmapField& field : umap_fields()) {
    UmapOptions options;
    set_field(options, field, field_text(options, field));
  }
}

TEST(Transform, LeavesPointsThatAreThereInTheirPlaces) {
  const Points features = swiss_roll(300);
  const Points embedding = umap(features, {});
  EXPECT_EQ(transform(features, features, embedding, {}).values, embedding.values);
  EXPECT_EQ(inverse_transform(embedding, embedding, features).values, features.values);
}

TEST(Transform, PutsNewPointsAmongTheirNeighboursWhateverComesWithThem) {
  const Points all = swiss_roll(800);
  const PointsView old = PointsView(all).rows(0, 700), fresh = PointsView(all).rows(700, 100);
  const Points embedding = umap(old, {});
  const Points places = transform(fresh, old, embedding, {.run = {.threads = 1}}, {.run = {.threads = 1}});
  expect_finite(places);
  EXPECT_EQ(transform(fresh, old, embedding, {.run = {.threads = 3}}, {.run = {.threads = 3}}).values, places.values);
  Points together = embedding;
  together.values.insert(together.values.end(), places.values.begin(), places.values.end());
  together.count = 800;
  EXPECT_GT(trustworthiness(distances_among(all, Metric::kEuclidean), together, 15), 0.98);
  for (std::size_t i = 0; i < 100; i += 30) {
    const Points alone = transform(fresh.rows(i, 1), old, embedding, {});
    for (std::size_t d = 0; d < 2; ++d) EXPECT_EQ(alone.row(0)[d], places.row(i)[d]);
  }
}

TEST(Transform, TakesTwoKindsOfFeatures) {
  const Points one = swiss_roll(300), other = random_points(300, 7);
  const FuzzyGraph graph = combine_graphs(fuzzy_graph(neighbours_among(one, {})),
                                          fuzzy_graph(neighbours_among(other, {.size = 3})), Combination::kUnion);
  const Points embedding = umap_layout(graph, {.epochs = 100});
  for (const Combination how : {Combination::kUnion, Combination::kIntersection}) {
    const FuzzyGraph edges =
        combine_new_edges(new_edges(neighbours_of(swiss_roll(5), one, {})),
                          new_edges(neighbours_of(random_points(5, 7, 3), other, {.size = 3})), how);
    expect_finite(place_new_points(edges, embedding));
    for (const float strength : edges.strength) EXPECT_TRUE(strength > 0 && strength <= 1);
  }
}

TEST(InverseTransform, GoesBackToNearTheFeatures) {
  const Points features = swiss_roll(800);
  const Points embedding = umap(features, {});
  const Points back = inverse_transform(PointsView(embedding).rows(0, 100), PointsView(embedding).rows(100, 700),
                                        PointsView(features).rows(100, 700));
  double off = 0;
  for (std::size_t i = 0; i < 100; ++i) off += distance(back.row(i), features.row(i), Metric::kEuclidean);
  EXPECT_LT(off / 100, 1.5);  // the roll is 28 across
  EXPECT_THROW(inverse_transform(embedding, embedding, random_points(3, 3)), Error);
}

// From the definitions, one pair of points after another.
TEST(Quality, IsThatOfTheDefinitions) {
  const Points features = random_points(60, 5), embedding = random_points(60, 2, 2);
  const std::vector<float> all = distances_among(features, Metric::kEuclidean),
                           low = distances_among(embedding, Metric::kEuclidean);
  const auto rank = [](const std::vector<float>& matrix, std::size_t i, std::size_t j) {
    std::size_t nearer = 0;
    for (std::size_t k = 0; k < 60; ++k) nearer += k != i && matrix[i * 60 + k] < matrix[i * 60 + j];
    return nearer + 1;
  };
  double penalty = 0, kept = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < 60; ++j) {
      if (i == j || rank(low, i, j) > 7) continue;
      if (rank(all, i, j) > 7) penalty += static_cast<double>(rank(all, i, j) - 7);
      if (rank(all, i, j) <= 7) ++kept;
    }
  }
  EXPECT_NEAR(trustworthiness(all, embedding, 7), 1 - 2 * penalty / (60.0 * 7 * (120 - 21 - 1)), 1e-12);
  EXPECT_NEAR(neighbour_preservation(all, embedding, 7), kept / (60 * 7), 1e-12);
  EXPECT_EQ(trustworthiness(low, embedding, 7), 1);
  EXPECT_EQ(neighbour_preservation(low, embedding, 7), 1);
  EXPECT_THROW(trustworthiness(all, embedding, 30), Error);
  EXPECT_THROW(trustworthiness(all, embedding, 7, {.stop = [] { return true; }}), Error);
  // Asked at every point, besides what finding the neighbours asks.
  std::size_t near = 0, whole = 0;
  neighbours_among(embedding, {.size = 8, .exact_limit = 60, .run = {.stop = [&] { return ++near == 0; }}});
  trustworthiness(all, embedding, 7, {.stop = [&] { return ++whole == 0; }});
  EXPECT_GE(whole, near + 60);
  EXPECT_THROW(neighbour_preservation(all, embedding, 7, {.stop = [] { return true; }}), Error);
  EXPECT_THROW(trustworthiness(all, random_points(5, 2), 2), Error);
}

}  // namespace
}  // namespace actforge
