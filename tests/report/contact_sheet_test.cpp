#include "actforge/report/plots/contact_sheet.h"

#include <cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "actforge/base/error.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

class Sheet : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "actforge-sheet-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The pixels of the picture that is written.
  struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint32_t> pixels;

    std::size_t count(std::uint32_t color) const {
      return static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), 0xff000000u | color));
    }
  };

  Picture draw(const ContactSheet& sheet) const {
    const std::string path = (folder_ / "sheet.png").string();
    write_contact_sheet(sheet, path);
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy);
    Picture picture{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    for (int y = 0; y < picture.height; ++y) {
      const auto* row =
          reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(surface.get()));
      for (int x = 0; x < picture.width; ++x) picture.pixels.push_back(row[x] | 0xff000000u);
    }
    return picture;
  }

  fs::path folder_;
};

// Each of the two colours in a block of 32 by 64, twice.
TEST_F(Sheet, EnlargesEveryPixelInItsColour) {
  const std::array<std::uint8_t, 12> image = {250, 10, 20, 30, 240, 40, 250, 10, 20, 30, 240, 40};
  const Picture picture =
      draw({.channels = 3, .height = 2, .width = 2, .max_value = 255, .rows = {{"a", {image}}, {"b", {image}}}});
  EXPECT_EQ(picture.count(0xfa0a14), 2u * 32 * 64);
  EXPECT_EQ(picture.count(0x1ef028), 2u * 32 * 64);
}

TEST_F(Sheet, ScalesGreyToItsBrightest) {
  const std::array<std::uint8_t, 4> image = {0, 16, 8, 4};
  const Picture picture = draw({.channels = 1, .height = 1, .width = 4, .max_value = 16, .rows = {{"", {image}}}});
  EXPECT_EQ(picture.count(0x000000), 64u * 64);
  EXPECT_EQ(picture.count(0x7f7f7f), 64u * 64);
  EXPECT_EQ(picture.count(0x3f3f3f), 64u * 64);
}

TEST_F(Sheet, RowsMayDifferInLength) {
  const std::array<std::uint8_t, 1> image = {1};
  const Picture one = draw({.max_value = 2, .rows = {{"", {image}}}});
  const Picture more = draw({.max_value = 2, .rows = {{"", {image}}, {"label", {image, image, image}}, {"", {}}}});
  EXPECT_GT(more.width, one.width + 2 * 64);
  EXPECT_EQ(more.count(0x7f7f7f), 4u * 64 * 64);
}

TEST_F(Sheet, RefusesOtherImages) {
  const std::array<std::uint8_t, 2> image = {0, 0};
  EXPECT_THROW(draw({.channels = 2, .rows = {{"", {image}}}}), Error);
  EXPECT_THROW(draw({.channels = 1, .rows = {{"", {image}}}}), Error);
}

}  // namespace
}  // namespace actforge
