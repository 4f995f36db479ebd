#include <png.h>

#include <csetjmp>
#include <cstring>

#include "actforge/base/error.h"
#include "actforge/data/source/image.h"

namespace actforge {
namespace {

// What libpng's callbacks see. On an error they jump over everything between here and read_png(), so nothing there has
// a destructor.
struct PngState {
  const char* at = nullptr;
  std::size_t left = 0;
  char problem[160] = {};
};

void on_error(png_structp png, png_const_charp message) {
  auto* state = static_cast<PngState*>(png_get_error_ptr(png));
  std::strncpy(state->problem, message, sizeof state->problem - 1);
  std::longjmp(png_jmpbuf(png), 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, std::size_t count) {
  auto* state = static_cast<PngState*>(png_get_io_ptr(png));
  if (count > state->left) png_error(png, "the file is truncated");
  std::memcpy(to, state->at, count);
  state->at += count;
  state->left -= count;
}

// Everything becomes 8 bits of grey or of red, green and blue.
void set_transformations(png_structp png, png_infop info) {
  const int kind = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
  if (kind == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (kind == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (depth == 16) png_set_scale_16(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

// The two steps, each with its own place to jump to. False: the state says why.
bool read_header(PngReader& reader, Image& image) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_info(reader.png, reader.info);
  image.height = static_cast<int>(png_get_image_height(reader.png, reader.info));
  image.width = static_cast<int>(png_get_image_width(reader.png, reader.info));
  set_transformations(reader.png, reader.info);
  image.channels = png_get_channels(reader.png, reader.info);
  return true;
}

bool read_pixels(PngReader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

}  // namespace

Image decode_png(std::string_view file, const std::string& origin) {
  PngState state{.at = file.data(), .left = file.size()};
  const auto fail = [&] { throw Error(ErrorCode::kBadInput, origin + ": damaged PNG: " + state.problem); };
  PngReader reader;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning);
  if (reader.png != nullptr) reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) throw Error(ErrorCode::kFailed, "libpng cannot begin");
  png_set_read_fn(reader.png, &state, on_read);
  Image image;
  if (!read_header(reader, image)) fail();
  const std::uint64_t pixels = static_cast<std::uint64_t>(image.height) * static_cast<std::uint64_t>(image.width);
  if (pixels > kMostPixels) throw Error(ErrorCode::kBadInput, origin + ": too many pixels");
  const std::size_t row = png_get_rowbytes(reader.png, reader.info);
  image.pixels.resize(row * static_cast<std::size_t>(image.height));
  std::vector<png_bytep> rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    rows.push_back(image.pixels.data() + y * row);
  if (!read_pixels(reader, rows.data())) fail();
  return image;
}

}  // namespace actforge
