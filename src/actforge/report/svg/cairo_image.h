#pragma once

#include <cairo.h>

#include <memory>
#include <string>

namespace actforge {

struct ReleaseCairo {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <typename T>
using CairoOwned = std::unique_ptr<T, ReleaseCairo>;

// Throws Error (kFailed) unless all is well.
void check_cairo(cairo_status_t status);

// An empty picture of so many pixels. Throws Error (kFailed) where cairo could not hold it.
CairoOwned<cairo_surface_t> new_picture(double width, double height);

// The bytes of a PNG file.
std::string png_bytes(cairo_surface_t* picture);

}  // namespace actforge
