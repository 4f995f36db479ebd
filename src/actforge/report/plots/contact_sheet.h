#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace actforge {

// Small images in rows, each row with a label in front.
struct ContactSheet {
  // Of every image: height rows of width pixels, each one byte in grey (1 channel) or in colour (3), 0 to max_value.
  int channels = 1;
  int height = 1;
  int width = 1;
  int max_value = 255;

  struct Row {
    std::string label;
    std::vector<std::span<const std::uint8_t>> images;
  };
  std::vector<Row> rows;
};

// Writes a PNG file whole or not at all; images are enlarged to about 64 pixels, without smoothing. Throws Error:
// kFailed if it cannot be drawn, kStorage if the file cannot be written.
void write_contact_sheet(const ContactSheet& sheet, const std::string& path);

}  // namespace actforge
