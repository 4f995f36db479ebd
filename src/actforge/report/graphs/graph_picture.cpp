#include "actforge/report/graphs/graph_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/report/graphs/graph_layout.h"
#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 20;       // free space around everything
constexpr double kTitleSize = 16;  // sizes of fonts
constexpr double kNameSize = 11.5;
constexpr double kDetailSize = 10;
constexpr double kBoldness = 1.14;  // bold letters are that much wider
constexpr double kBoxHeight = 36;
constexpr double kGap = 22;  // between rows
constexpr double kPitch = kBoxHeight + kGap;
constexpr double kMargin = 9;  // within a box, left and right
constexpr double kNarrowest = 120, kWidest = 270;
constexpr double kLaneGap = 18;
constexpr double kTrack = 13;
constexpr double kGutter = 26;  // between columns, beside the lines in it
constexpr double kArrow = 6;

struct Colors {
  std::string_view fill, stroke;
};
// After Okabe and Ito, so that people with any kind of colour vision tell them apart; the names in the boxes say it
// too.
constexpr std::array<Colors, 10> kColors{{{"#f2f2f2", "#777777"},
                                          {"#d9eaf7", "#0072b2"},
                                          {"#e6e1f4", "#6a51a3"},
                                          {"#fde4d3", "#d55e00"},
                                          {"#d8f0e6", "#009e73"},
                                          {"#f7f7f7", "#b0b0b0"},
                                          {"#fdf0cc", "#c98a00"},
                                          {"#f8e3ee", "#cc79a7"},
                                          {"#e4f4fd", "#56b4e9"},
                                          {"#f4efe6", "#8a6d3b"}}};
constexpr std::string_view kLineColor = "#6b6b6b";

std::string px(double value) { return fixed_text(value, 1); }

const Colors& colors_of(std::size_t family) { return kColors[family % kColors.size()]; }

double needed_width(const PictureNode& node) {
  const double space = 12;
  const double first = kNameSize * kBoldness * text_width(node.name) + kDetailSize * text_width(node.size);
  const double second = kDetailSize * (text_width(node.detail) + text_width(node.count));
  return std::max(first, second) + 2 * kMargin + space;
}

double box_width(const GraphPicture& picture) {
  double width = kNarrowest;
  for (const PictureNode& node : picture.nodes) width = std::max(width, needed_width(node));
  return std::min(width, kWidest);
}

GraphInputs checked_inputs(const GraphPicture& picture) {
  if (picture.nodes.size() > kMostPictureNodes) {
    throw Error(ErrorCode::kUsage, "a picture shows at most " + std::to_string(kMostPictureNodes) + " boxes, not " +
                                       std::to_string(picture.nodes.size()));
  }
  GraphInputs inputs;
  std::size_t edges = 0;
  for (const PictureNode& node : picture.nodes) {
    edges += node.inputs.size();
    if (edges > kMostPictureEdges) {
      throw Error(ErrorCode::kUsage, "a picture shows at most " + std::to_string(kMostPictureEdges) + " edges");
    }
    for (const std::size_t input : node.inputs) {
      if (input >= inputs.size()) throw Error(ErrorCode::kUsage, "a box must come after its inputs");
    }
    inputs.push_back(node.inputs);
  }
  return inputs;
}

double column_width(const GraphColumn& column, double box) {
  return (column.left_tracks + column.right_tracks) * kTrack + column.main_lanes * (box + kLaneGap) - kLaneGap;
}

// As a page or a screen: somewhat wider than high, unless there is little to show.
std::size_t choose_columns(const GraphInputs& inputs, double box) {
  constexpr std::size_t kFewRows = 24;
  constexpr double kAspect = 1.4;
  const std::size_t rows = graph_rows(inputs);
  if (rows <= kFewRows) return 1;
  const double width = column_width(lay_out_graph(inputs, 1).columns[0], box) + kGutter + kTrack;
  const double columns = std::sqrt(static_cast<double>(rows) * kPitch * kAspect / width);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(columns)), 2, rows);
}

// Writes the elements of one picture, back to front.
class GraphDrawing {
 public:
  explicit GraphDrawing(const GraphPicture& picture)
      : picture_(picture), inputs_(checked_inputs(picture)), box_(box_width(picture)) {
    if (!inputs_.empty()) layout_ = lay_out_graph(inputs_, choose_columns(inputs_, box_));
    place_columns();
  }

  std::string draw() {
    open();
    legend();
    svg_ += "<g class=\"edges\" fill=\"none\" stroke=\"" + std::string(kLineColor) +
            "\" stroke-width=\"1.3\" stroke-linejoin=\"round\">\n";
    for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
      wires(c);
      crossings(c);
    }
    svg_ += "</g>\n<g class=\"arrows\" fill=\"" + std::string(kLineColor) + "\">\n" + arrows_ + "</g>\n";
    svg_ += "<g class=\"boxes\" font-size=\"" + px(kDetailSize) + "\">\n";
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) box(i);
    return svg_ + "</g>\n</svg>\n";
  }

 private:
  void place_columns() {
    const bool has_head = !picture_.title.empty() || !picture_.subtitle.empty();
    top_ = kEdge + (has_head ? kTitleSize + 14 : 0) + (picture_.families.empty() ? 0 : 30);
    double most_crossings = 0, right = kEdge, bottom = 0;
    for (const GraphColumn& column : layout_.columns) {
      most_crossings = std::max(most_crossings, static_cast<double>(column.crossings.size()));
      lefts_.push_back(right);
      right += column_width(column, box_) + kGutter + static_cast<double>(column.crossings.size()) * kTrack;
      const double below =
          column.crossings.empty() ? 0 : kGap / 2 + static_cast<double>(column.crossings.size()) * kTrack;
      bottom = std::max(bottom, column.rows * kPitch - kGap + below);
    }
    if (most_crossings > 0) top_ += kGap + most_crossings * kTrack;
    const double head = kTitleSize * kBoldness * text_width(picture_.title) + 12 * text_width(picture_.subtitle) + 14;
    width_ = std::max({right - kGutter + kEdge, std::min(head, 700.0) + 2 * kEdge, 2 * kEdge + legend_width()});
    height_ = top_ + bottom + kEdge;
  }

  double x_of(std::size_t column, GraphLane lane) const {
    const GraphColumn& shape = layout_.columns[column];
    const double main = lefts_[column] + shape.left_tracks * kTrack;
    switch (lane.side) {
      case GraphLane::Side::kLeft: return main - (lane.number + 0.6) * kTrack;
      case GraphLane::Side::kRight:
        return main + shape.main_lanes * (box_ + kLaneGap) - kLaneGap + (lane.number + 0.6) * kTrack;
      case GraphLane::Side::kMain: break;
    }
    return main + lane.number * (box_ + kLaneGap) + box_ / 2;
  }
  double y_of(int row) const { return top_ + row * kPitch; }

  void open() {
    const std::string width = px(std::ceil(width_)), height = px(std::ceil(height_));
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
           "\" viewBox=\"0 0 " + width + " " + height +
           "\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif\" "
           "fill=\"#222222\">\n<title>" +
           xml_text(picture_.title.empty() ? "Graph" : picture_.title) + "</title>\n<rect width=\"" + width +
           "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n";
    if (picture_.title.empty() && picture_.subtitle.empty()) return;
    const std::string title = cut_to_width(picture_.title, (width_ - 2 * kEdge) / kTitleSize / kBoldness);
    svg_ += "<text x=\"" + px(kEdge) + "\" y=\"" + px(kEdge + kTitleSize - 3) + "\" font-size=\"" + px(kTitleSize) +
            "\"><tspan font-weight=\"bold\">" + xml_text(title) + "</tspan>";
    const double room = width_ - 2 * kEdge - kTitleSize * kBoldness * text_width(title) - 14;
    svg_ += "<tspan dx=\"12\" font-size=\"12\" fill=\"#555555\">" +
            xml_text(cut_to_width(picture_.subtitle, room / 12)) + "</tspan></text>\n";
  }

  std::vector<std::size_t> used_families() const {
    std::vector<std::size_t> used;
    for (std::size_t family = 0; family < picture_.families.size(); ++family) {
      if (std::any_of(picture_.nodes.begin(), picture_.nodes.end(),
                      [&](const PictureNode& node) { return node.family == family; })) {
        used.push_back(family);
      }
    }
    return used;
  }

  static double legend_step(const std::string& name) { return 11 * text_width(name) + 34; }
  double legend_width() const {
    double width = 0;
    for (const std::size_t family : used_families()) width += legend_step(picture_.families[family]);
    return std::min(width, 700.0);
  }

  void legend() {
    svg_ += "<g class=\"legend\" font-size=\"11\" fill=\"#555555\">\n";
    const double y = kEdge + (picture_.title.empty() && picture_.subtitle.empty() ? 0 : kTitleSize + 12);
    double x = kEdge;
    for (const std::size_t family : used_families()) {
      const Colors& colors = colors_of(family);
      svg_ += "<rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"14\" height=\"11\" rx=\"3\" fill=\"" +
              std::string(colors.fill) + "\" stroke=\"" + std::string(colors.stroke) + "\"/>\n<text x=\"" + px(x + 19) +
              "\" y=\"" + px(y + 9.5) + "\">" + xml_text(picture_.families[family]) + "</text>\n";
      x += legend_step(picture_.families[family]);
    }
    svg_ += "</g>\n";
  }

  // Where each wire that ends at a box meets its top: side by side, in the order in which they come.
  std::vector<double> arrivals(std::size_t c) const {
    const std::vector<GraphWire>& wires = layout_.columns[c].wires;
    std::map<std::pair<int, int>, std::vector<std::size_t>> by_box;  // row and lane
    for (std::size_t i = 0; i < wires.size(); ++i) by_box[{wires[i].to_row, wires[i].to.number}].push_back(i);
    std::vector<double> ends(wires.size());
    const auto comes_from = [&](std::size_t i) {
      return x_of(c, wires[i].from_row + 1 == wires[i].to_row ? wires[i].from : wires[i].track);
    };
    for (auto& [place, group] : by_box) {
      std::stable_sort(group.begin(), group.end(),
                       [&](std::size_t a, std::size_t b) { return comes_from(a) < comes_from(b); });
      const double step = std::min(16.0, 0.7 * box_ / static_cast<double>(group.size()));
      for (std::size_t k = 0; k < group.size(); ++k) {
        const bool leaves = wires[group[k]].to_row == layout_.columns[c].rows;
        const double offset = (static_cast<double>(k) - static_cast<double>(group.size() - 1) / 2) * step;
        ends[group[k]] = x_of(c, wires[group[k]].to) + (leaves ? 0 : offset);
      }
    }
    return ends;
  }

  static std::string swing(double x1, double y1, double x2, double y2) {
    if (std::abs(x1 - x2) < 0.05) return "L" + px(x2) + " " + px(y2);
    const double middle = (y1 + y2) / 2;
    return "C" + px(x1) + " " + px(middle) + " " + px(x2) + " " + px(middle) + " " + px(x2) + " " + px(y2);
  }

  void wires(std::size_t c) {
    const std::vector<double> ends = arrivals(c);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const GraphWire& wire = layout_.columns[c].wires[i];
      const bool leaves = wire.to_row == layout_.columns[c].rows;
      double x = x_of(c, wire.from), y = y_of(wire.from_row) + kBoxHeight;
      std::string path = "M" + px(x) + " " + px(y);
      if (wire.to_row > wire.from_row + 1) {
        const double track = x_of(c, wire.track), below = y_of(wire.to_row - 1) + kBoxHeight;
        path += swing(x, y, track, y_of(wire.from_row + 1)) + "L" + px(track) + " " + px(below);
        x = track, y = below;
      }
      const double end = y_of(wire.to_row) - (kArrow - 1);
      if (!leaves) {
        path += swing(x, y, ends[i], end);
        arrow(ends[i], y_of(wire.to_row));
      }
      // From the last row, what leaves is drawn by the crossing alone.
      if (path.find_first_of("LC") != std::string::npos) svg_ += "<path d=\"" + path + "\"/>\n";
    }
  }

  void arrow(double x, double y) {
    arrows_ += "<path d=\"M" + px(x) + " " + px(y) + "l-3.2 " + px(-kArrow) + "h6.4z\"/>\n";
  }

  // Down below the column, up between the columns, and into the next one from above.
  void crossings(std::size_t c) {
    const GraphColumn& column = layout_.columns[c];
    const auto count = static_cast<double>(column.crossings.size());
    for (std::size_t k = 0; k < column.crossings.size(); ++k) {
      const double number = static_cast<double>(k) + 0.5;
      const double x1 = x_of(c, column.crossings[k].exit), x2 = x_of(c + 1, column.crossings[k].entry);
      const double y1 = y_of(column.rows) - kGap;
      const double low = y1 + kGap / 2 + (count - number) * kTrack;
      const double between = lefts_[c] + column_width(column, box_) + kGutter / 2 + (count - number) * kTrack;
      const double high = top_ - kGap - number * kTrack;
      rounded({{x1, y1}, {x1, low}, {between, low}, {between, high}, {x2, high}, {x2, top_ - kGap}});
    }
  }

  struct Point {
    double x, y;
  };
  void rounded(const std::vector<Point>& points) {
    constexpr double kRadius = 7;
    const auto towards = [](Point from, Point to) {
      const double length = std::hypot(to.x - from.x, to.y - from.y);
      const double share = length > 0 ? std::min(kRadius / length, 0.5) : 0;
      return px(from.x + share * (to.x - from.x)) + " " + px(from.y + share * (to.y - from.y));
    };
    std::string path = "M" + px(points[0].x) + " " + px(points[0].y);
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      path += "L" + towards(points[i], points[i - 1]) + "Q" + px(points[i].x) + " " + px(points[i].y) + " " +
              towards(points[i], points[i + 1]);
    }
    svg_ += "<path d=\"" + path + "L" + px(points.back().x) + " " + px(points.back().y) + "\"/>\n";
  }

  void box(std::size_t i) {
    const PictureNode& node = picture_.nodes[i];
    const GraphSlot& place = layout_.places[i];
    const Colors& colors = colors_of(node.family);
    const double x = x_of(place.column, place.lane) - box_ / 2, y = y_of(place.row);
    const double right = box_ - 2 * kMargin;
    const double name_room = right - kDetailSize * text_width(node.size) - 6;
    const double detail_room = right - kDetailSize * text_width(node.count) - 6;
    std::string tooltip = node.name + ": " + node.detail;
    for (const std::string& part : {node.size, node.count}) tooltip += part.empty() ? "" : ", " + part;
    svg_ += "<g transform=\"translate(" + px(x) + " " + px(y) + ")\"><title>" + xml_text(tooltip) +
            "</title><rect width=\"" + px(box_) + "\" height=\"" + px(kBoxHeight) + "\" rx=\"5\" fill=\"" +
            std::string(colors.fill) + "\" stroke=\"" + std::string(colors.stroke) + "\"/>";
    text(kMargin, 15, cut_to_width(node.name, name_room / kNameSize / kBoldness),
         "font-weight=\"bold\" font-size=\"" + px(kNameSize) + "\"");
    text(box_ - kMargin, 15, node.size, "text-anchor=\"end\"");
    text(kMargin, 28.5, cut_to_width(node.detail, detail_room / kDetailSize), "fill=\"#444444\"");
    text(box_ - kMargin, 28.5, node.count, "text-anchor=\"end\" fill=\"#444444\"");
    svg_ += "</g>\n";
  }

  void text(double x, double y, const std::string& content, const std::string& attributes) {
    if (content.empty()) return;
    svg_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + attributes + ">" + xml_text(content) + "</text>";
  }

  const GraphPicture& picture_;
  GraphInputs inputs_;
  double box_;
  GraphLayout layout_;
  std::vector<double> lefts_;  // of the columns
  double top_ = 0, width_ = 0, height_ = 0;
  std::string svg_, arrows_;
};

}  // namespace

std::string to_svg(const GraphPicture& picture) { return GraphDrawing(picture).draw(); }

}  // namespace actforge
