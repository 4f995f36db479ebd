#include "actforge/report/plots/legend.h"

#include <algorithm>
#include <cmath>

#include "actforge/report/plots/plot_frame.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kRow = 18;
constexpr double kBetweenColumns = 22;
constexpr double kShareAtRight = 0.27;  // of the width of the picture, at most

double label_width(const std::string& text) { return Legend::kFontSize * text_width(text); }

// An entry in the given cell of a grid, its text cut to the room there is.
LegendEntry entry_of(const std::string& text, std::size_t series, double text_room) {
  LegendEntry entry{.text = cut_to_width(text, text_room / Legend::kFontSize), .series = series};
  if (entry.text != to_utf8(readable(text))) entry.tooltip = text;
  return entry;
}

// "and 12 more", in place of those for which there is no room.
LegendEntry rest_of(const std::vector<std::string>& texts, std::size_t shown) {
  LegendEntry entry{.text = "and " + std::to_string(texts.size() - shown) + " more", .has_line = false};
  for (std::size_t i = shown; i < texts.size(); ++i) entry.tooltip += (i > shown ? ", " : "") + texts[i];
  return entry;
}

}  // namespace

std::string legend_text(const Series& series) {
  const std::string label = series.label.empty() ? "(no name)" : series.label;
  return has_points(series) ? label : label + " (no finite value)";
}

Legend lay_out_legend(const LinePlot& plot, double room_right, double room_below) {
  Legend legend;
  std::vector<std::string> texts;
  double widest = 0;
  for (const Series& series : plot.series) {
    texts.push_back(legend_text(series));
    widest = std::max(widest, label_width(texts.back()));
  }
  if (texts.empty() || (texts.size() == 1 && plot.series[0].label.empty())) return legend;

  const double full_width = plot.width - 40.0;
  const double sample = Legend::kLine + Legend::kGap;
  const double cell = std::min(sample + std::ceil(widest), full_width);
  legend.at_right =
      texts.size() > 1 && cell <= kShareAtRight * plot.width && kRow * static_cast<double>(texts.size()) <= room_right;
  const auto columns =
      legend.at_right ? 1 : static_cast<std::size_t>((full_width + kBetweenColumns) / (cell + kBetweenColumns));
  const std::size_t used_columns = std::clamp<std::size_t>(columns, 1, texts.size());
  const auto rows = static_cast<std::size_t>(std::max(1.0, (legend.at_right ? room_right : room_below) / kRow));
  const bool fits = texts.size() <= rows * used_columns;
  const std::size_t shown = fits ? texts.size() : rows * used_columns - 1;

  for (std::size_t i = 0; i < shown; ++i) legend.entries.push_back(entry_of(texts[i], i, cell - sample));
  if (!fits) legend.entries.push_back(rest_of(texts, shown));
  for (std::size_t i = 0; i < legend.entries.size(); ++i) {
    const std::size_t row = i / used_columns;
    const std::size_t column = i % used_columns;
    legend.entries[i].x = static_cast<double>(column) * (cell + kBetweenColumns);
    legend.entries[i].y = (static_cast<double>(row) + 0.5) * kRow;
  }
  legend.width = static_cast<double>(used_columns) * (cell + kBetweenColumns) - kBetweenColumns;
  legend.height = legend.entries.back().y + 0.5 * kRow;
  return legend;
}

}  // namespace actforge
