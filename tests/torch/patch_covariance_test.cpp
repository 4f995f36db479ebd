// Sums over shifted images against patches that are written out one by one.
#include "actforge/torch/fisher/patch_covariance.h"

#include <gtest/gtest.h>

#include "actforge/base/random.h"

namespace actforge {
namespace {

using torch::Tensor;

std::int64_t pick(Random& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

// Every number in a row of its own kind: samples, then places, then groups; taps row by row, channels side by side.
Tensor written_out(const Tensor& x, const PatchShape& shape) {
  const Window& w = shape.window;
  const std::size_t extents = w.size.size();
  const Shape spatial(x.sizes().begin() + 2, x.sizes().end());
  const Shape places = window_positions(w, spatial);
  const auto numbers = [](const Shape& s) {
    std::int64_t n = 1;
    for (const std::int64_t e : s) n *= e;
    return n;
  };
  const auto coordinates = [](std::int64_t number, const Shape& s) {
    Shape at(s.size());
    for (std::size_t i = s.size(); i-- > 0; number /= s[i]) at[i] = number % s[i];
    return at;
  };
  const std::int64_t channels = x.size(1) / shape.groups, taps = numbers(w.size);
  std::vector<Tensor> rows;
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    for (std::int64_t t = 0; t < numbers(places); ++t) {
      for (std::int64_t g = 0; g < shape.groups; ++g) {
        Tensor row = torch::zeros({(shape.bias ? 1 : 0) + taps * channels}, torch::kFloat64);
        if (shape.bias) row[0] = 1;
        for (std::int64_t a = 0; a < taps; ++a) {
          const Shape place = coordinates(t, places), tap = coordinates(a, w.size);
          std::int64_t flat = 0;
          bool inside = true;
          for (std::size_t i = 0; i < extents; ++i) {
            const std::int64_t at = w.stride[i] * place[i] + w.dilation[i] * tap[i] - w.before[i];
            inside = inside && at >= 0 && at < spatial[i];
            flat = flat * spatial[i] + at;
          }
          if (!inside) continue;
          for (std::int64_t c = 0; c < channels; ++c) {
            row[(shape.bias ? 1 : 0) + a * channels + c] = x[n].flatten(1)[g * channels + c][flat].item<double>();
          }
        }
        rows.push_back(row);
      }
    }
  }
  return torch::stack(rows);
}

TEST(PatchCovariance, EqualsThatOfPatchesWrittenOut) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t extents = pick(random, 1, round % 6 == 0 ? 3 : 2);
    PatchShape shape = {.window = {}, .groups = pick(random, 1, 3), .bias = random.below(2) == 0};
    std::vector<std::int64_t> sizes = {pick(random, 1, 2), shape.groups * pick(random, 1, 2)};
    for (std::int64_t i = 0; i < extents; ++i) {
      shape.window.size.push_back(pick(random, 1, 4));
      shape.window.stride.push_back(pick(random, 1, 3));
      shape.window.dilation.push_back(pick(random, 1, 2));
      shape.window.before.push_back(pick(random, 0, 4));
      shape.window.after.push_back(pick(random, 0, 4));
      const std::int64_t reach = (shape.window.size.back() - 1) * shape.window.dilation.back() + 1;
      const std::int64_t zeros = shape.window.before.back() + shape.window.after.back();
      sizes.push_back(std::max(pick(random, 1, round % 4 == 0 ? 14 : 6), reach - zeros));
    }
    torch::manual_seed(static_cast<std::uint64_t>(round));
    const Tensor x = torch::randn(sizes) + 0.3;
    const Tensor rows = written_out(x.to(torch::kFloat64), shape), expected = torch::mm(rows.t(), rows);
    // Nothing written out, one extent or some, everything; threads share samples or sums.
    for (const PatchMethod& method :
         std::vector<PatchMethod>{{0, 64}, {4, 64}, {1000, 64}, {0, 0}, {4, 0}, {1000, 0}}) {
      const Tensor got = patch_products(x, shape, method);
      ASSERT_EQ(got.sizes(), expected.sizes()) << round;
      EXPECT_LT((got - expected).abs().max().item<double>(), 1e-9)
          << "round " << round << ", narrow " << method.narrow << ", wide " << method.wide << ", sizes " << x.sizes();
    }
  }
}

// LibTorch's patches, [samples · places, taps · channels], tap by tap.
Tensor rows_of_im2col(const Tensor& x, const Window& w) {
  const Tensor patches = torch::im2col(x.to(torch::kFloat64), w.size, w.dilation, w.before, w.stride);
  const std::int64_t taps = w.size[0] * w.size[1];
  return patches.reshape({x.size(0), x.size(1), taps, -1}).permute({0, 3, 2, 1}).reshape({-1, taps * x.size(1)});
}

// As many channels as there are kinds of tiles and more, in more samples than are worked on at once, by any number of
// threads; as floats or doubles, in either order of memory.
TEST(PatchCovariance, OfManyChannelsAndSamplesByManyThreads) {
  const int threads = at::get_num_threads();
  Random random(3);
  for (const std::int64_t channels : {1, 3, 8, 13, 16, 24, 37, 64, 90}) {
    PatchShape shape = {.bias = random.below(2) == 0};
    const std::int64_t stride = pick(random, 1, 2), dilation = pick(random, 1, 2);
    shape.window = {{3, 3}, {stride, stride}, {dilation, dilation}, {1, 1}, {1, 1}};
    torch::manual_seed(static_cast<std::uint64_t>(channels));
    Tensor x = torch::rand({50, channels, 9, 11}, channels % 2 == 0 ? torch::kFloat32 : torch::kFloat64);
    if (channels != 37) x = x.contiguous(torch::MemoryFormat::ChannelsLast);
    Tensor rows = rows_of_im2col(x, shape.window);
    if (shape.bias) rows = torch::cat({torch::ones({rows.size(0), 1}, torch::kFloat64), rows}, 1);
    const Tensor expected = torch::mm(rows.t(), rows);
    for (const int count : {1, 2, 7}) {
      at::set_num_threads(count);
      for (const std::int64_t wide : {0, 1000}) {
        const Tensor got = patch_products(x, shape, {.wide = wide});
        ASSERT_EQ(got.sizes(), expected.sizes());
        // Sums of thousands of products in another order. An eigenvalue may be off by the side times as much, and
        // is still told from one that is 1e-12 of the largest, which is about the side times the largest sum.
        EXPECT_LT((got - expected).abs().max().item<double>(), 1e-13 * expected.max().item<double>())
            << channels << " channels, " << count << " threads, wide " << wide;
      }
    }
  }
  at::set_num_threads(threads);
}

TEST(PatchCovariance, DenseRows) {
  const Tensor x = torch::randn({5, 3});
  const Tensor rows = torch::cat({torch::ones({5, 1}), x}, 1).to(torch::kFloat64);
  const Tensor got = patch_products(x, {.window = {}, .groups = 1, .bias = true});
  EXPECT_LT((got - torch::mm(rows.t(), rows)).abs().max().item<double>(), 1e-12);
}

// What makes it fast: thirteen sums of products, not forty-five, and no place of the image twice in one of them.
TEST(PatchPairs, ThirteenGroupsOfThreeByThree) {
  const Window window = {.size = {3, 3}, .stride = {1, 1}, .dilation = {1, 1}, .before = {1, 1}, .after = {1, 1}};
  const std::vector<PatchGroup> groups = patch_groups(window, {8, 9});
  EXPECT_EQ(groups.size(), 13u);
  std::size_t pairs = 0;
  for (const PatchGroup& group : groups) {
    pairs += group.pairs.size();
    std::int64_t places = 0;
    for (const PatchCell& cell : group.cells) places += cell.places();
    EXPECT_LE(places, 8 * 9);
  }
  EXPECT_EQ(pairs, 45u);
}

}  // namespace
}  // namespace actforge
