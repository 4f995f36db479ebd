#include <cstddef>
#include <cstdio>  // before jpeglib.h, which needs them

#include <jpeglib.h>

#include <jerror.h>

#include <csetjmp>

#include "actforge/base/error.h"
#include "actforge/data/source/image.h"

namespace actforge {
namespace {

// What libjpeg's callbacks see. On an error they jump over everything between here and the step that failed, so nothing
// there has a destructor.
struct JpegState {
  jpeg_error_mgr manager = {};  // first: libjpeg knows this part only
  std::jmp_buf jump = {};
  char problem[JMSG_LENGTH_MAX] = {};
};

JpegState& state_of(j_common_ptr info) { return *reinterpret_cast<JpegState*>(info->err); }

void on_error(j_common_ptr info) {
  JpegState& state = state_of(info);
  info->err->format_message(info, state.problem);
  std::longjmp(state.jump, 1);
}

// libjpeg goes on and makes up what is missing. What only stands where it should not is no damage.
void on_message(j_common_ptr info, int level) {
  const int code = info->err->msg_code;
  if (level >= 0 || (code != JWRN_JPEG_EOF && code != JWRN_HIT_MARKER && code != JWRN_HUFF_BAD_CODE)) return;
  on_error(info);
}

struct JpegReader {
  jpeg_decompress_struct info = {};
  JpegState state = {};
  ~JpegReader() { jpeg_destroy_decompress(&info); }
};

bool read_header(JpegReader& reader, std::string_view file) {
  if (setjmp(reader.state.jump) != 0) return false;
  jpeg_create_decompress(&reader.info);
  jpeg_mem_src(&reader.info, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&reader.info, TRUE);
  switch (reader.info.jpeg_color_space) {
    case JCS_GRAYSCALE: reader.info.out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK:
    case JCS_YCCK: reader.info.out_color_space = JCS_CMYK; break;
    default: reader.info.out_color_space = JCS_RGB;
  }
  jpeg_calc_output_dimensions(&reader.info);
  return true;
}

bool read_rows(JpegReader& reader, std::uint8_t* pixels, std::size_t row) {
  if (setjmp(reader.state.jump) != 0) return false;
  jpeg_start_decompress(&reader.info);
  while (reader.info.output_scanline < reader.info.output_height) {
    JSAMPROW line = pixels + row * reader.info.output_scanline;
    jpeg_read_scanlines(&reader.info, &line, 1);
  }
  jpeg_finish_decompress(&reader.info);
  return true;
}

// Adobe's programs, and Pillow, write the inks inverted.
std::vector<std::uint8_t> from_cmyk(const std::vector<std::uint8_t>& inks, bool inverted) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(inks.size() / 4 * 3);
  const auto light = [&](std::uint8_t ink) { return static_cast<unsigned>(inverted ? ink : 255 - ink); };
  for (std::size_t i = 0; i < inks.size(); i += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      pixels.push_back(static_cast<std::uint8_t>((light(inks[i + c]) * light(inks[i + 3]) + 127) / 255));
    }
  }
  return pixels;
}

}  // namespace

Image decode_jpeg(std::string_view file, const std::string& origin) {
  JpegReader reader;
  const auto fail = [&] { throw Error(ErrorCode::kBadInput, origin + ": damaged JPEG: " + reader.state.problem); };
  reader.info.err = jpeg_std_error(&reader.state.manager);
  reader.state.manager.error_exit = on_error;
  reader.state.manager.emit_message = on_message;
  if (!read_header(reader, file)) fail();
  const std::size_t height = reader.info.output_height, width = reader.info.output_width;
  if (std::uint64_t{height} * width > kMostPixels) throw Error(ErrorCode::kBadInput, origin + ": too many pixels");
  const bool is_cmyk = reader.info.out_color_space == JCS_CMYK;
  const std::size_t channels = is_cmyk ? 4 : static_cast<std::size_t>(reader.info.out_color_components);
  Image image = {static_cast<int>(height), static_cast<int>(width), static_cast<int>(channels), {}};
  image.pixels.resize(height * width * channels);
  if (!read_rows(reader, image.pixels.data(), width * channels)) fail();
  if (is_cmyk) {
    image.pixels = from_cmyk(image.pixels, reader.info.saw_Adobe_marker != 0);
    image.channels = 3;
  }
  return image;
}

}  // namespace actforge
