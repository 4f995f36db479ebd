#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// A picture: height rows of width pixels of 1 channel (grey) or 3 (red, green, blue).
struct Image {
  int height = 0;
  int width = 0;
  int channels = 1;
  std::vector<std::uint8_t> pixels = {};
};

enum class ImageKind { kPng, kJpeg, kOther };
// By its first bytes.
ImageKind image_kind(std::string_view file);

// More pixels than that are refused: a small file may claim to unpack to any size.
inline constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26;

// Palettes become colours, 16 bits become 8, transparency is left out, CMYK becomes red, green and blue: as Pillow's
// convert() does it. Throws Error (kBadInput) with "`origin`: why" for a file that is damaged, truncated, or neither.
Image decode_image(std::string_view file, const std::string& origin);
Image decode_png(std::string_view file, const std::string& origin);
Image decode_jpeg(std::string_view file, const std::string& origin);

// Of the whole image, or of the largest box in its middle that has the new proportions.
Image resize_image(const Image& image, int height, int width, bool crop);

// As many channels: grey becomes three equal ones, colours become grey by ITU-R 601-2, as in Pillow.
Image with_channels(const Image& image, int channels);

}  // namespace actforge
