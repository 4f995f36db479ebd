#include "actforge/report/svg/png.h"

#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/report/svg/cairo_image.h"

namespace actforge {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GError* error) const { g_error_free(error); }
};

template <typename T>
using Owned = std::unique_ptr<T, Release>;

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::kFailed, "cannot draw the picture: " + why); }

[[noreturn]] void fail(const std::string& what, GError* raw) {
  const Owned<GError> error(raw);
  fail(what + (error ? ": " + std::string(error->message) : std::string()));
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

std::string to_png(const std::string& svg, double scale) {
  const Owned<RsvgHandle> handle = read_svg(svg);
  RsvgRectangle whole{0, 0, 0, 0};
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &whole.width, &whole.height) == 0) {
    fail("the SVG document does not say how large it is");
  }
  const CairoOwned<cairo_surface_t> picture =
      new_picture(std::round(whole.width * scale), std::round(whole.height * scale));
  const CairoOwned<cairo_t> context(cairo_create(picture.get()));
  cairo_scale(context.get(), scale, scale);
  GError* error = nullptr;
  if (rsvg_handle_render_document(handle.get(), context.get(), &whole, &error) == 0)
    fail("librsvg cannot draw it", error);
  check_cairo(cairo_status(context.get()));
  return png_bytes(picture.get());
}

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

}  // namespace

void write_png(const std::string& svg, const std::string& path, double scale) { write_file(path, to_png(svg, scale)); }

void check_picture_name(const std::string& path) {
  const std::string extension = lower_extension(path);
  if (extension == ".svg" || extension == ".png") return;
  throw Error(ErrorCode::kUsage, "'" + path + "': the name of a picture ends in .svg or .png");
}

void save_picture(const std::function<std::string()>& draw, const std::string& path, double png_scale) {
  check_picture_name(path);
  if (lower_extension(path) == ".svg") return write_file(path, draw());
  write_png(draw(), path, png_scale);
}

}  // namespace actforge
