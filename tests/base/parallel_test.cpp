#include "actforge/base/parallel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "actforge/base/thread_team.h"
#include "tests/problems/thread_limit.h"

namespace actforge {
namespace {

TEST(Parallel, EveryItemOnce) {
  for (const std::size_t threads : {0, 1, 2, 3, 8}) {
    for (const std::size_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(thread_count(threads), count, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (const auto& visit : visits) ASSERT_EQ(visit, 1);
    }
  }
}

TEST(Parallel, ExceptionsComeThrough) {
  for (const std::size_t guilty : {0, 9}) {
    EXPECT_THROW(parallel_for(3, 10,
                              [&](std::size_t begin, std::size_t end, std::size_t) {
                                if (begin <= guilty && guilty < end) throw std::runtime_error("no");
                              }),
                 std::runtime_error);
  }
}

using problems::ThreadLimit;

// Ends the process where a test waits for ever.
class Deadline {
 public:
  explicit Deadline(unsigned seconds) { alarm(seconds); }
  ~Deadline() { alarm(0); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};

TEST(Parallel, TheLimitOfTheTestsHolds) {
  const ThreadLimit limit(1);
  std::thread([] {}).join();
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
}

TEST(Parallel, FewerThreadsDoAllTheWork) {
  for (const int started : {0, 1, 2}) {
    const ThreadLimit limit(started);
    std::vector<std::atomic<int>> visits(100), shares(4);
    parallel_for(4, 100, [&](std::size_t begin, std::size_t end, std::size_t thread) {
      ++shares[thread];
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& visit : visits) ASSERT_EQ(visit, 1);
    for (const auto& share : shares) ASSERT_EQ(share, 1);
  }
}

TEST(Team, WaitsForAllOfIt) {
  const Deadline deadline(60);
  for (const std::size_t threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> steps(threads);
    std::atomic<int> behind = 0;
    run_team(threads, [&](std::size_t thread, ThreadTeam& team) {
      ASSERT_EQ(team.size(), threads);
      for (int step = 1; step <= 50; ++step) {
        ++steps[thread];
        team.wait();
        for (const auto& other : steps) behind += other < step ? 1 : 0;
      }
    });
    EXPECT_EQ(behind, 0);
  }
}

TEST(Team, IsAsLargeAsTheSystemAllows) {
  const Deadline deadline(60);
  for (const int started : {0, 1, 3}) {
    const ThreadLimit limit(started);
    std::vector<std::atomic<int>> calls(8);
    run_team(8, [&](std::size_t thread, ThreadTeam& team) {
      EXPECT_EQ(team.size(), static_cast<std::size_t>(started) + 1);
      ++calls[thread];
      team.wait();
    });
    for (int thread = 0; thread < 8; ++thread) EXPECT_EQ(calls[static_cast<std::size_t>(thread)], thread <= started);
  }
}

TEST(Team, NobodyWaitsForOneThatFailed) {
  const Deadline deadline(60);
  for (const std::size_t guilty : {0, 2}) {
    EXPECT_THROW(run_team(3,
                          [&](std::size_t thread, ThreadTeam& team) {
                            for (int step = 0; step < 100; ++step) {
                              if (thread == guilty && step == 7) throw std::runtime_error("no");
                              team.wait();
                            }
                          }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace actforge
