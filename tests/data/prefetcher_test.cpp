#include "actforge/data/prefetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace actforge {
namespace {

void fill(std::size_t number, Batch& batch) {
  batch.pixels.assign(10, static_cast<float>(number));
  batch.labels.assign(1, static_cast<std::int64_t>(number));
}

// Threads that finish in another order than they began.
void fill_slowly(std::size_t number, Batch& batch) {
  std::this_thread::sleep_for(std::chrono::microseconds(number * 7919 % 300));
  fill(number, batch);
}

TEST(Prefetcher, HandsOverInOrder) {
  for (const std::size_t threads : {0, 1, 2, 5}) {
    for (const std::size_t ahead : {0, 1, 3, 40}) {
      Prefetcher prefetcher(fill_slowly, threads, ahead);
      EXPECT_EQ(prefetcher.next(), nullptr);
      prefetcher.start(30);
      for (int number = 0; number < 30; ++number) {
        const Batch* batch = prefetcher.next();
        ASSERT_NE(batch, nullptr);
        ASSERT_EQ(batch->labels, std::vector<std::int64_t>{number});
        ASSERT_EQ(batch->pixels, std::vector<float>(10, static_cast<float>(number)));
      }
      EXPECT_EQ(prefetcher.next(), nullptr);
      EXPECT_EQ(prefetcher.next(), nullptr);
    }
  }
}

// The caller's batch stays as it is while others are made, and no more are made than were asked for.
TEST(Prefetcher, StaysWithinItsLimit) {
  std::atomic<std::size_t> made = 0;
  Prefetcher prefetcher(
      [&](std::size_t number, Batch& batch) {
        fill(number, batch);
        ++made;
      },
      3, 2);
  const auto wait_for = [&](std::size_t count) {
    while (made < count) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  prefetcher.start(100);
  const Batch* first = prefetcher.next();
  wait_for(3);
  EXPECT_EQ(made, 3u);
  EXPECT_EQ(first->labels[0], 0);
  const Batch* second = prefetcher.next();
  wait_for(4);
  EXPECT_EQ(made, 4u);
  EXPECT_EQ(second->labels[0], 1);
}

TEST(Prefetcher, StartsAgainInTheMiddle) {
  for (const std::size_t threads : {0, 1, 3}) {
    Prefetcher prefetcher(fill_slowly, threads, 4);
    for (std::size_t round = 0; round < 20; ++round) {
      prefetcher.cancel();
      EXPECT_EQ(prefetcher.next(), nullptr);
      prefetcher.start(20);
      for (std::size_t number = 0; number < round; ++number) {
        ASSERT_EQ(prefetcher.next()->labels[0], static_cast<std::int64_t>(number));
      }
    }
  }
}

TEST(Prefetcher, EndsInTheMiddle) {
  for (const std::size_t threads : {0, 1, 3}) {
    for (std::size_t taken = 0; taken < 8; ++taken) {
      Prefetcher prefetcher(fill_slowly, threads, 3);
      prefetcher.start(100);
      for (std::size_t number = 0; number < taken; ++number) prefetcher.next();
    }
  }
}

TEST(Prefetcher, ThrowsWhatAThreadThrew) {
  for (const std::size_t threads : {0, 1, 3}) {
    std::atomic<bool> fails = true;
    Prefetcher prefetcher(
        [&](std::size_t number, Batch& batch) {
          if (fails && number >= 5) throw std::runtime_error("batch " + std::to_string(number));
          fill_slowly(number, batch);
        },
        threads, 4);
    prefetcher.start(20);
    for (int number = 0; number < 5; ++number) ASSERT_EQ(prefetcher.next()->labels[0], number);
    try {
      prefetcher.next();
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "batch 5");
    }
    EXPECT_EQ(prefetcher.next(), nullptr);
    fails = false;
    prefetcher.cancel();
    prefetcher.start(20);
    for (int number = 0; number < 20; ++number) ASSERT_EQ(prefetcher.next()->labels[0], number);
  }
}

}  // namespace
}  // namespace actforge
