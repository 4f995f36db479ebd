#include "actforge/net/graph/window.h"

#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

// By the definition: from where may a window start so that its last point is still inside?
std::int64_t count_places(std::int64_t extent, std::int64_t size, std::int64_t stride, std::int64_t dilation,
                          std::int64_t before, std::int64_t after) {
  std::int64_t places = 0;
  for (std::int64_t start = -before; start + (size - 1) * dilation < extent + after; start += stride) ++places;
  return places;
}

struct Grid {
  std::int64_t extent, size, stride, dilation;
};

std::vector<Grid> small_grids() {
  std::vector<Grid> grids;
  for (std::int64_t extent = 1; extent <= 9; ++extent) {
    for (std::int64_t size = 1; size <= 5; ++size) {
      for (std::int64_t stride = 1; stride <= 4; ++stride) {
        for (std::int64_t dilation = 1; dilation <= 3; ++dilation) grids.push_back({extent, size, stride, dilation});
      }
    }
  }
  return grids;
}

Window window_of(const Grid& grid, const std::string& padding) {
  Window window = {
      .size = {grid.size}, .stride = {grid.stride}, .dilation = {grid.dilation}, .before = {}, .after = {}};
  set_padding(window, padding, {grid.extent});
  return window;
}

TEST(Window, PlacesAreThoseOfALoop) {
  for (const Grid& grid : small_grids()) {
    for (std::int64_t before = 0; before <= 2; ++before) {
      for (std::int64_t after = 0; after <= 3; ++after) {
        const Window window = window_of(grid, std::to_string(before) + ":" + std::to_string(after));
        EXPECT_EQ(window.is_symmetric(), before == after);
        const std::int64_t places = count_places(grid.extent, grid.size, grid.stride, grid.dilation, before, after);
        if (places == 0) {
          EXPECT_THROW(window_positions(window, {grid.extent}), Error);
        } else {
          EXPECT_EQ(window_positions(window, {grid.extent}), Shape{places});
        }
      }
    }
  }
}

// TensorFlow's rule: ⌈extent / stride⌉ places, with the fewest zeros that give them, the odd one at the end.
TEST(Window, SameGivesThatManyPlacesWithTheFewestZeros) {
  for (const Grid& grid : small_grids()) {
    const Window window = window_of(grid, "same");
    const std::int64_t wanted = (grid.extent + grid.stride - 1) / grid.stride;
    const std::int64_t before = window.before[0], after = window.after[0];
    EXPECT_EQ(window_positions(window, {grid.extent}), Shape{wanted});
    EXPECT_EQ(count_places(grid.extent, grid.size, grid.stride, grid.dilation, before, after), wanted);
    EXPECT_TRUE(after == before || after == before + 1);
    if (before + after > 0) {
      EXPECT_LT(count_places(grid.extent, grid.size, grid.stride, grid.dilation, 0, before + after - 1), wanted);
    }
  }
}

TEST(Window, ValidHasNoZeros) {
  const Window window = window_of({.extent = 9, .size = 3, .stride = 2, .dilation = 1}, "valid");
  EXPECT_EQ(window.before, std::vector<std::int64_t>{0});
  EXPECT_EQ(window.after, std::vector<std::int64_t>{0});
}

TEST(Window, IsReadFromASetting) {
  const Network network =
      network_of("a = input(shape=3x9x8); it = conv(a, filters=2, kernel=3x2, stride=2, dilation=1x3, padding=1:2x0)");
  const Window window = read_window(network.setting(1), "kernel");
  EXPECT_EQ(window.size, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(window.stride, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(window.dilation, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(window.before, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(window.after, (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(network.layer(1).output.shape, (Shape{2, 5, 3}));
}

TEST(Window, PoolingStepsByItsSizeUnlessToldOtherwise) {
  const Network network = network_of("a = input(shape=3x9x8); it = max_pool(a, size=2x3)");
  EXPECT_EQ(read_window(network.setting(1), "size").stride, (std::vector<std::int64_t>{2, 3}));
}

// A window of a pooling sees at least one number.
TEST(Window, PoolingIsRefusedExactlyWhereAWindowIsEmpty) {
  for (const Grid& grid : small_grids()) {
    if (grid.dilation != 1) continue;
    for (std::int64_t before = 0; before <= 5; ++before) {
      for (std::int64_t after = 0; after <= 5; ++after) {
        bool good = false, empty = false;
        for (std::int64_t start = -before; start + grid.size <= grid.extent + after; start += grid.stride) {
          good = true;
          empty = empty || start >= grid.extent || start + grid.size <= 0;
        }
        const std::string line = "a = input(shape=1x" + std::to_string(grid.extent) +
                                 "); it = max_pool(a, size=" + std::to_string(grid.size) +
                                 ", stride=" + std::to_string(grid.stride) + ", padding=" + std::to_string(before) +
                                 ":" + std::to_string(after) + ")";
        if (good && !empty) {
          EXPECT_NO_THROW(layer_of(line)) << line;
        } else {
          EXPECT_THROW(layer_of(line), Error) << line;
        }
      }
    }
  }
}

}  // namespace
}  // namespace actforge
