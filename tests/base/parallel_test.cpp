#include "actforge/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

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

}  // namespace
}  // namespace actforge
