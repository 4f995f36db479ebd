// The descent on several threads that wait for each other: what happens when some of them are missing.
#include "actforge/surrogate/layout.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/problems/thread_limit.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

// Each point is tied to the next.
FuzzyGraph ring(std::size_t count) {
  FuzzyGraph graph;
  graph.count = count;
  graph.begin = {0};
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t j : {(i + count - 1) % count, (i + 1) % count}) {
      graph.neighbour.push_back(static_cast<std::uint32_t>(j));
      graph.strength.push_back(1);
    }
    graph.begin.push_back(graph.neighbour.size());
  }
  return graph;
}

LayoutOptions short_options(std::size_t threads) {
  return {.curve = {.a = 1.5, .b = 0.9}, .epochs = 5, .run = {.seed = 1, .threads = threads}};
}

std::vector<float> layout(const LayoutOptions& options) {
  Points embedding = random_points(500, 2);
  optimise_layout(ring(500), options, embedding);
  return embedding.values;
}

// Where threads wait for one that never comes, the alarm ends the process.
class LayoutThreads : public testing::Test {
 protected:
  LayoutThreads() { alarm(60); }
  ~LayoutThreads() override { alarm(0); }
};

TEST_F(LayoutThreads, ThatCannotStartAreDoneWithout) {
  const std::vector<float> alone = layout(short_options(1));
  ASSERT_EQ(layout(short_options(4)), alone);
  for (const int started : {2, 1, 0}) {
    const problems::ThreadLimit limit(started);
    EXPECT_EQ(layout(short_options(4)), alone);
  }
}

TEST_F(LayoutThreads, EndWhenTheObserverThrows) {
  LayoutOptions options = short_options(4);
  std::size_t told = 0;
  options.run.progress = [&](std::string_view, std::size_t epoch, std::size_t) {
    told = epoch;
    if (epoch == 3) throw std::runtime_error("enough");
  };
  EXPECT_THROW(layout(options), std::runtime_error);
  EXPECT_EQ(told, 3U);
}

}  // namespace
}  // namespace actforge
