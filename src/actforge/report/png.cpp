#include "actforge/report/png.h"

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/report/axis.h"

namespace actforge {
namespace {

constexpr double kLargestSide = 32767;  // of an image surface of cairo
constexpr double kMostPixels = 4e8;     // 1.6 GB while drawing

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

template <typename T>
using Owned = std::unique_ptr<T, Release>;

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::kFailed, "cannot draw the plot: " + why); }

[[noreturn]] void fail(const std::string& what, GError* raw) {
  const Owned<GError> error(raw);
  fail(what + (error ? ": " + std::string(error->message) : std::string()));
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) fail(cairo_status_to_string(status));
}

// Without a base address librsvg loads no other files.
Owned<RsvgHandle> read_svg(const std::string& svg) {
  GError* error = nullptr;
  const auto* bytes = reinterpret_cast<const guint8*>(svg.data());
  Owned<RsvgHandle> handle(rsvg_handle_new_from_data(bytes, svg.size(), &error));
  if (!handle) fail("the SVG document is not valid", error);
  rsvg_handle_set_dpi(handle.get(), 96);
  return handle;
}

cairo_status_t append(void* text, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

std::string to_png(const std::string& svg, double scale) {
  const Owned<RsvgHandle> handle = read_svg(svg);
  RsvgRectangle whole{0, 0, 0, 0};
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &whole.width, &whole.height) == 0) {
    fail("the SVG document does not say how large it is");
  }
  const double width = std::round(whole.width * scale);
  const double height = std::round(whole.height * scale);
  if (!(std::min(width, height) >= 1 && std::max(width, height) <= kLargestSide && width * height <= kMostPixels)) {
    fail("a picture of " + short_text(width, 6) + " by " + short_text(height, 6) + " pixels; choose another scale");
  }
  const Owned<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  check(cairo_surface_status(surface.get()));
  const Owned<cairo_t> context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  GError* error = nullptr;
  if (rsvg_handle_render_document(handle.get(), context.get(), &whole, &error) == 0) fail("librsvg gave up", error);
  check(cairo_status(context.get()));
  std::string png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return png;
}

}  // namespace

void write_png(const std::string& svg, const std::string& path, double scale) { write_file(path, to_png(svg, scale)); }

void save_picture(const std::function<std::string()>& draw, const std::string& path, double png_scale) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension == ".svg") return write_file(path, draw());
  if (extension == ".png") return write_png(draw(), path, png_scale);
  throw Error(ErrorCode::kUsage, "'" + path + "': the name of a picture ends in .svg or .png");
}

void save_plot(const LinePlot& plot, const std::string& path) {
  save_picture([&] { return to_svg(plot); }, path);
}

}  // namespace actforge
