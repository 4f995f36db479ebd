#include "actforge/report/plots/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/report/svg/cairo_image.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kImageSize = 64, kGap = 4, kMargin = 10, kFontSize = 15;

// Pixels of 32 bits, as cairo wants them.
CairoOwned<cairo_surface_t> to_surface(const ContactSheet& sheet, std::span<const std::uint8_t> image) {
  CairoOwned<cairo_surface_t> surface = new_picture(sheet.width, sheet.height);
  unsigned char* bytes = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  cairo_surface_flush(surface.get());
  for (int y = 0; y < sheet.height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(bytes + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < sheet.width; ++x) {
      std::uint32_t color = 0xff;
      for (int c = 0; c < 3; ++c) {
        const int from = (y * sheet.width + x) * sheet.channels + (sheet.channels == 3 ? c : 0);
        const int value = image[static_cast<std::size_t>(from)] * 255 / sheet.max_value;
        color = color << 8 | static_cast<std::uint32_t>(std::min(value, 255));
      }
      row[x] = color;
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

struct Layout {
  double scale = 1;
  double label_width = 0;
  double cell_width = 0;
  double cell_height = 0;
};

Layout make_layout(const ContactSheet& sheet) {
  Layout layout;
  layout.scale = std::max(1.0, std::floor(kImageSize / sheet.height));
  layout.cell_width = layout.scale * sheet.width + kGap;
  layout.cell_height = std::max(layout.scale * sheet.height, kFontSize) + kGap;
  for (const ContactSheet::Row& row : sheet.rows) {
    layout.label_width = std::max(layout.label_width, std::ceil(kFontSize * text_width(row.label)));
  }
  return layout;
}

void draw_label(cairo_t* context, const std::string& label, double y) {
  cairo_set_source_rgb(context, 0.1, 0.1, 0.1);
  cairo_move_to(context, kMargin, y + 0.36 * kFontSize);
  cairo_show_text(context, to_utf8(readable(label)).c_str());
}

void draw_image(cairo_t* context, cairo_surface_t* image, double x, double y, double scale) {
  cairo_save(context);
  cairo_translate(context, x, y);
  cairo_scale(context, scale, scale);
  cairo_set_source_surface(context, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
  cairo_paint(context);
  cairo_restore(context);
}

void check(const ContactSheet& sheet) {
  const std::size_t size = static_cast<std::size_t>(sheet.channels) * static_cast<std::size_t>(sheet.height) *
                           static_cast<std::size_t>(sheet.width);
  bool fits = sheet.channels == 1 || sheet.channels == 3;
  for (const ContactSheet::Row& row : sheet.rows) {
    for (const auto& image : row.images) fits = fits && image.size() == size;
  }
  if (!fits) throw Error(ErrorCode::kFailed, "cannot draw images that are neither grey nor in colour");
}

}  // namespace

void write_contact_sheet(const ContactSheet& sheet, const std::string& path) {
  check(sheet);
  const Layout layout = make_layout(sheet);
  std::size_t most = 0;
  for (const ContactSheet::Row& row : sheet.rows) most = std::max(most, row.images.size());
  const double left = 2 * kMargin + layout.label_width;
  const CairoOwned<cairo_surface_t> picture =
      new_picture(left + static_cast<double>(most) * layout.cell_width + kMargin - kGap,
                  2 * kMargin + static_cast<double>(sheet.rows.size()) * layout.cell_height - kGap);
  const CairoOwned<cairo_t> context(cairo_create(picture.get()));
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  cairo_select_font_face(context.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context.get(), kFontSize);
  double y = kMargin;
  for (const ContactSheet::Row& row : sheet.rows) {
    draw_label(context.get(), row.label, y + (layout.cell_height - kGap) / 2);
    double x = left;
    for (const auto& image : row.images) {
      draw_image(context.get(), to_surface(sheet, image).get(), x, y, layout.scale);
      x += layout.cell_width;
    }
    y += layout.cell_height;
  }
  check_cairo(cairo_status(context.get()));
  write_file(path, png_bytes(picture.get()));
}

}  // namespace actforge
