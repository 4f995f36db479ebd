#include "actforge/data/source/image.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "actforge/base/read_file.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

// Pictures that Pillow wrote, and what it reads in them (make_images.py).
class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    const std::string command = "/usr/bin/python3 " ACTFORGE_TESTS "/data/make_images.py " + folder_.path().string();
    if (std::system(command.c_str()) != 0) GTEST_SKIP() << "Pillow is missing (Debian: python3-pil)";
  }

  std::string bytes(const std::string& name) const { return read_file((folder_.path() / name).string()).value(); }

  Image expected(const std::string& name) const {
    const std::string text = bytes(name);
    Image image;
    std::istringstream(text) >> image.height >> image.width >> image.channels;
    const std::string_view pixels = std::string_view(text).substr(text.find('\n') + 1);
    image.pixels.assign(pixels.begin(), pixels.end());
    return image;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".png" || ending == ".jpg") found.push_back(entry.path().filename().string());
    }
    return found;
  }

  ScratchFolder folder_;
};

int largest_difference(const Image& a, const Image& b) {
  if (a.height != b.height || a.width != b.width || a.channels != b.channels) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) largest = std::max(largest, std::abs(a.pixels[i] - b.pixels[i]));
  return largest;
}

TEST_F(Pictures, AreWhatPillowReadsInThem) {
  EXPECT_EQ(names().size(), 14u);
  for (const std::string& name : names()) {
    const Image image = decode_image(bytes(name), name);
    EXPECT_LE(largest_difference(image, expected(name + ".whole")), name == "inks.jpg" ? 1 : 0) << name;
  }
}

TEST_F(Pictures, AreResizedAsPillowDoesIt) {
  for (const std::string& name : names()) {
    const Image whole = expected(name + ".whole"), small = expected(name + ".small");
    EXPECT_LE(largest_difference(resize_image(whole, small.height, small.width, true), small), 1) << name;
  }
}

TEST_F(Pictures, ThatAreDamagedAreRefusedByName) {
  for (const std::string& name : names()) {
    const std::string whole = bytes(name);
    for (const double share : {0.02, 0.3, 0.9}) {
      const std::string part = whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
      EXPECT_EQ(message_of([&] { decode_image(part, "f"); }).rfind("f: ", 0), 0u) << name << " " << share;
    }
  }
  std::string png = bytes("color.png");
  png[png.size() / 2] ^= 0x55;
  EXPECT_NE(message_of([&] { decode_image(png, "f"); }).find("f: damaged PNG: "), std::string::npos);
  EXPECT_EQ(message_of([&] { decode_image("GIF89a", "f"); }), "f: its content is neither PNG nor JPEG");
}

TEST(ResizeImage, HalvesByTheTriangleFilter) {
  const Image line = {1, 8, 1, {0, 0, 0, 200, 200, 0, 0, 0}};
  const Image half = resize_image(line, 1, 4, false);
  // Pixel 1 of the result has its center at 3 and the weights 1/4, 3/4, 3/4, 1/4, of 2 in all, at 1.5 to 4.5.
  EXPECT_EQ(half.pixels, (std::vector<std::uint8_t>{0, 100, 100, 0}));
}

TEST(ResizeImage, KeepsAConstantAndStretches) {
  const Image flat = {5, 9, 3, std::vector<std::uint8_t>(5 * 9 * 3, 77)};
  for (const bool crop : {true, false}) {
    EXPECT_EQ(resize_image(flat, 12, 4, crop).pixels, std::vector<std::uint8_t>(12 * 4 * 3, 77));
  }
}

TEST(WithChannels, MakesGreyAndColor) {
  const Image color = {1, 2, 3, {255, 0, 0, 10, 20, 30}};
  EXPECT_EQ(with_channels(color, 1).pixels, (std::vector<std::uint8_t>{76, 18}));
  EXPECT_EQ(with_channels({1, 1, 1, {9}}, 3).pixels, (std::vector<std::uint8_t>{9, 9, 9}));
}

}  // namespace
}  // namespace actforge
