#include "actforge/report/svg/cairo_image.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/report/svg/axis.h"

namespace actforge {
namespace {

constexpr double kLargestSide = 32767;  // of an image surface of cairo
constexpr double kMostPixels = 4e8;     // 1.6 GB while drawing

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::kFailed, "cannot draw the picture: " + why); }

cairo_status_t append(void* text, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

void check_cairo(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) fail(cairo_status_to_string(status));
}

CairoOwned<cairo_surface_t> new_picture(double width, double height) {
  if (!(std::min(width, height) >= 1 && std::max(width, height) <= kLargestSide && width * height <= kMostPixels)) {
    fail(short_text(width, 6) + " by " + short_text(height, 6) + " pixels; choose another scale");
  }
  CairoOwned<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  check_cairo(cairo_surface_status(surface.get()));
  return surface;
}

std::string png_bytes(cairo_surface_t* picture) {
  std::string png;
  check_cairo(cairo_surface_write_to_png_stream(picture, append, &png));
  return png;
}

}  // namespace actforge
