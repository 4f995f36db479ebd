#include "actforge/report/plots/line_plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/base/hash.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/plots/legend.h"
#include "actforge/report/plots/line_style.h"
#include "actforge/report/plots/plot_frame.h"
#include "actforge/report/svg/png.h"
#include "actforge/report/svg/svg.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr int kSmallestWidth = 240;
constexpr int kSmallestHeight = 160;
constexpr int kLargestSide = 20000;

constexpr double kEdge = 16;       // free space around everything
constexpr double kTitleSize = 16;  // of the font
constexpr double kCurveWidth = 2;
constexpr double kBoldness = 1.14;  // bold letters are that much wider

struct Layout {
  Box frame;
  Legend legend;
  double legend_left = 0;
  double legend_top = 0;
  std::vector<Tick> x_ticks;
  std::vector<Tick> y_ticks;
};

Layout lay_out(const LinePlot& plot, const PlotFrame& view) {
  Layout layout;
  Box& frame = layout.frame;
  frame.top = plot.title.empty() ? kEdge : kEdge + kTitleSize + 14;
  const double below_frame = 8 + kTickSize + (plot.x_label.empty() ? 4 : 10 + kLabelSize);
  const double room = plot.height - frame.top - below_frame - kEdge;
  layout.legend = lay_out_legend(plot, room, 0.42 * room);
  const Legend& legend = layout.legend;
  const bool below = !legend.at_right && !legend.entries.empty();

  frame.bottom = plot.height - kEdge - below_frame - (below ? legend.height + 4 : 0);
  layout.y_ticks = y_ticks(plot, view.y, std::max(2, static_cast<int>(frame.height() / 48)));
  frame.left = kEdge + (plot.y_label.empty() ? 0 : kLabelSize + 9) + widest_label(layout.y_ticks) + 8;
  frame.left = std::min(frame.left, 0.4 * plot.width);
  frame.right = plot.width - kEdge - (legend.at_right ? legend.width + 18 : 4);
  layout.x_ticks = ticks_for_width(view.x, frame.width());
  layout.legend_left =
      legend.at_right ? frame.right + 18 : std::max(20.0, (frame.left + frame.right - legend.width) / 2);
  layout.legend_left = std::min(layout.legend_left, plot.width - 20.0 - (legend.at_right ? 0 : legend.width));
  layout.legend_top = legend.at_right ? frame.top - 3 : plot.height - kEdge - legend.height + 4;
  return layout;
}

std::string line(double x1, double y1, double x2, double y2) {
  return "<path d=\"M" + px(x1) + " " + px(y1) + "L" + px(x2) + " " + px(y2) + "\"/>\n";
}

// Writes the elements of one plot, back to front.
class SvgDrawing {
 public:
  SvgDrawing(const LinePlot& plot, std::string id)
      : plot_(plot), id_(std::move(id)), view_(frame_of(plot)), layout_(lay_out(plot, view_)), box_(layout_.frame) {}

  std::string draw() {
    open();
    grid();
    zero_axes();
    frame();
    curves();
    tick_labels();
    titles();
    legend();
    return svg_ + "</svg>\n";
  }

 private:
  double x_of(double x) const { return box_.left + view_.x.fraction(x) * box_.width(); }
  double y_of(double y) const { return box_.bottom - view_.y.fraction(y) * box_.height(); }

  void open() {
    const std::string width = std::to_string(plot_.width);
    const std::string height = std::to_string(plot_.height);
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
           "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" aria-labelledby=\"title-" + id_ + " desc-" +
           id_ + "\" font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif\" fill=\"" +
           std::string(kInk) + "\">\n<title id=\"title-" + id_ + "\">" +
           xml_text(plot_.title.empty() ? "Line plot" : plot_.title) + "</title>\n<desc id=\"desc-" + id_ + "\">" +
           xml_text(description()) + "</desc>\n<rect width=\"" + width + "\" height=\"" + height +
           "\" fill=\"#ffffff\"/>\n";
  }

  std::string description() const {
    if (view_.empty) return "A line plot without any finite value.";
    const auto span = [](const std::string& name, const std::string& fallback, const AxisRange& range) {
      return (name.empty() ? fallback : name) + " from " + short_text(range.low, 3) + " to " +
             short_text(range.high, 3);
    };
    std::string text = "Line plot: " + span(plot_.x_label, "x", view_.x) + ", " + span(plot_.y_label, "y", view_.y);
    text += ". Curves: ";
    for (const Series& series : plot_.series)
      text += (&series == plot_.series.data() ? "" : ", ") + legend_text(series);
    return text + (view_.beyond ? ". Some values are beyond the frame." : ".");
  }

  void grid() {
    svg_ += "<g class=\"grid\" fill=\"none\" stroke=\"" + std::string(kGridColor) + "\">\n";
    for (const Tick& tick : layout_.x_ticks) svg_ += line(x_of(tick.value), box_.top, x_of(tick.value), box_.bottom);
    for (const Tick& tick : layout_.y_ticks) svg_ += line(box_.left, y_of(tick.value), box_.right, y_of(tick.value));
    svg_ += "</g>\n";
  }

  void zero_axes() {
    if (view_.empty) return;
    svg_ += "<g class=\"zero\" fill=\"none\" stroke=\"" + std::string(kAxisColor) + "\" stroke-width=\"1.2\">\n";
    if (view_.y.contains(0)) svg_ += line(box_.left, y_of(0), box_.right, y_of(0));
    if (view_.x.contains(0)) svg_ += line(x_of(0), box_.top, x_of(0), box_.bottom);
    svg_ += "</g>\n";
  }

  void frame() {
    svg_ += "<rect class=\"frame\" x=\"" + px(box_.left) + "\" y=\"" + px(box_.top) + "\" width=\"" + px(box_.width()) +
            "\" height=\"" + px(box_.height()) + "\" fill=\"none\" stroke=\"" + std::string(kFrameColor) + "\"/>\n";
  }

  void curves() {
    // Wider than the frame by half a line, so that a curve along the edge keeps its full width.
    const double half = kCurveWidth / 2;
    svg_ += "<clipPath id=\"clip-" + id_ + "\"><rect x=\"" + px(box_.left - half) + "\" y=\"" + px(box_.top - half) +
            "\" width=\"" + px(box_.width() + 2 * half) + "\" height=\"" + px(box_.height() + 2 * half) +
            "\"/></clipPath>\n<g class=\"curves\" clip-path=\"url(#clip-" + id_ + ")\" fill=\"none\" stroke-width=\"" +
            px(kCurveWidth) + "\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
    for (std::size_t i = 0; i < plot_.series.size(); ++i) curve(i);
    svg_ += "</g>\n";
    if (view_.empty) {
      text((box_.left + box_.right) / 2, (box_.top + box_.bottom) / 2, "no finite values to show",
           "font-size=\"14\" text-anchor=\"middle\" fill=\"#777777\" stroke=\"#ffffff\" stroke-width=\"6\" "
           "stroke-linejoin=\"round\" paint-order=\"stroke\"");
    }
  }

  // Lines, and dots for points that stand alone: those would be lost among dashes, and are hard to see if no wider.
  void curve(std::size_t series) {
    constexpr double kOverlap = 4;  // pixels beyond the frame that the clip path hides
    const auto [lines, dots] = curve_paths(plot_.series[series], view_, box_, kOverlap);
    const std::string end = "\">" + tooltip(legend_text(plot_.series[series])) + "</path>\n";
    if (!lines.empty()) svg_ += "<path" + stroke(series) + " d=\"" + lines + end;
    if (!dots.empty()) {
      svg_ += "<path stroke=\"" + std::string(line_style(series, 1).color) + "\" stroke-width=\"" +
              px(2 * kCurveWidth) + "\" d=\"" + dots + end;
    }
  }

  std::string stroke(std::size_t series) const {
    const LineStyle style = line_style(series, plot_.series.size());
    std::string text = " stroke=\"" + std::string(style.color) + "\"";
    if (!style.dashes.empty())
      text += " stroke-dasharray=\"" + std::string(style.dashes) + "\" stroke-linecap=\"butt\"";
    return text;
  }

  void text(double x, double y, const std::string& content, const std::string& attributes,
            const std::string& whole = {}) {
    svg_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + attributes + ">" + xml_text(content);
    if (!whole.empty()) svg_ += tooltip(whole);
    svg_ += "</text>\n";
  }

  // Text of one line, cut to the room it has; then the whole of it becomes the tooltip.
  void fitted(double x, double y, const std::string& content, double room, double size, const std::string& attributes) {
    if (content.empty()) return;
    const std::string shown = cut_to_width(content, room / size);
    text(x, y, shown, "font-size=\"" + px(size) + "\" " + attributes,
         shown == to_utf8(readable(content)) ? "" : content);
  }

  void tick_labels() {
    const std::string common = "\" font-size=\"" + px(kTickSize) + "\" fill=\"" + std::string(kSoftInk) + "\">\n";
    svg_ += "<g class=\"x-ticks\" text-anchor=\"middle" + common;
    for (const Tick& tick : layout_.x_ticks) {
      const double half = kTickSize * text_width(typeset(tick.label)) / 2;
      const double x = std::min(x_of(tick.value), plot_.width - 2 - half);
      text(x, box_.bottom + 6 + kTickSize, typeset(tick.label), "");
    }
    svg_ += "</g>\n<g class=\"y-ticks\" text-anchor=\"end" + common;
    for (const Tick& tick : layout_.y_ticks) {
      text(box_.left - 7, y_of(tick.value) + 0.36 * kTickSize, typeset(tick.label), "");
    }
    svg_ += "</g>\n";
  }

  void titles() {
    fitted(box_.left, kEdge + kTitleSize - 2, plot_.title, (plot_.width - kEdge - box_.left) / kBoldness, kTitleSize,
           "font-weight=\"bold\"");
    const double middle = (box_.left + box_.right) / 2;
    fitted(middle, box_.bottom + 12 + kTickSize + kLabelSize, plot_.x_label, box_.width(), kLabelSize,
           "text-anchor=\"middle\"");
    const double x = kEdge + kLabelSize - 3;
    const double y = (box_.top + box_.bottom) / 2;
    fitted(x, y, plot_.y_label, box_.height(), kLabelSize,
           "text-anchor=\"middle\" transform=\"rotate(-90 " + px(x) + " " + px(y) + ")\"");
  }

  void legend() {
    if (layout_.legend.entries.empty()) return;
    svg_ += "<g class=\"legend\" font-size=\"" + px(Legend::kFontSize) + "\">\n";
    for (const LegendEntry& entry : layout_.legend.entries) {
      const double x = layout_.legend_left + entry.x;
      const double y = layout_.legend_top + entry.y;
      if (entry.has_line) {
        svg_ += "<path" + stroke(entry.series) + " stroke-width=\"" + px(kCurveWidth + 0.5) + "\" d=\"M" + px(x) + " " +
                px(y) + "h" + px(Legend::kLine) + "\"/>\n";
      }
      text(x + Legend::kLine + Legend::kGap, y + 0.36 * Legend::kFontSize, entry.text, "", entry.tooltip);
    }
    svg_ += "</g>\n";
  }

  const LinePlot& plot_;
  std::string id_;
  PlotFrame view_;
  Layout layout_;
  Box box_;
  std::string svg_;
};

}  // namespace

std::string to_svg(const LinePlot& plot) {
  const auto fits = [](int side, int smallest) { return smallest <= side && side <= kLargestSide; };
  if (!fits(plot.width, kSmallestWidth) || !fits(plot.height, kSmallestHeight)) {
    throw Error(ErrorCode::kUsage, "a plot of " + std::to_string(plot.width) + " by " + std::to_string(plot.height) +
                                       " pixels; the least is " + std::to_string(kSmallestWidth) + " by " +
                                       std::to_string(kSmallestHeight) + ", the most " + std::to_string(kLargestSide) +
                                       " either way");
  }
  // The id is made of what the drawing without an id looks like.
  const LinePlot drawn = drawn_plot(plot);
  return SvgDrawing(drawn, Hasher().add(SvgDrawing(drawn, "").draw()).finish().hex().substr(0, 12)).draw();
}

void save_plot(const LinePlot& plot, const std::string& path) {
  save_picture([&] { return to_svg(plot); }, path);
}

}  // namespace actforge
