#include "actforge/report/plots/terminal_plot.h"

#include <algorithm>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/report/plots/canvas.h"
#include "actforge/report/plots/legend.h"
#include "actforge/report/plots/line_style.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr int kFewestColumns = 30;
constexpr int kFewestRows = 4;
constexpr int kMost = 10000;
constexpr int kLettersApart = 24;  // columns from one letter on a curve to the next

// The characters that lines and axes are made of.
struct Pieces {
  std::string_view across, up, crossing;                   // the axes through zero
  std::string_view edge, tick, corner, floor, floor_tick;  // the frame
  std::string_view ellipsis;
};

constexpr Pieces kUnicode{"─", "│", "┼", "│", "┤", "└", "─", "┬", "…"};
constexpr Pieces kAscii{"-", "|", "+", "|", "+", "+", "-", "+", "..."};

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

char letter_of(std::size_t series) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return kLetters[series % kLetters.size()];
}

class TerminalDrawing {
 public:
  TerminalDrawing(const LinePlot& plot, const TerminalStyle& style)
      : plot_(plot),
        style_(style),
        pieces_(style.unicode ? kUnicode : kAscii),
        view_(frame_of(plot)),
        y_ticks_(y_ticks(plot, view_.y, std::max(2, style.rows / 4))),
        margin_(label_columns()),
        canvas_(style.columns - margin_ - 2, style.rows, style.unicode),
        x_ticks_(ticks_for(canvas_.columns())) {
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
      for (const Polyline& piece : visible_pieces(plot.series[i], view_)) canvas_.draw(piece, static_cast<int>(i));
    }
    if (uses_letters()) put_letters();
  }

  std::string draw() {
    centred(plot_.title);
    if (!plot_.y_label.empty()) line(cut(plot_.y_label, style_.columns));
    for (int row = 0; row < canvas_.rows(); ++row) line(edge_of(row) + row_text(row));
    x_axis();
    centred(plot_.x_label);
    legend();
    return text_;
  }

 private:
  // Without colours, letters distinguish the curves.
  bool uses_letters() const { return !style_.color && plot_.series.size() > 1; }

  int label_columns() const {
    int columns = 0;
    for (const Tick& tick : y_ticks_) columns = std::max(columns, static_cast<int>(tick.label.size()));
    return std::min(columns, style_.columns / 2);
  }

  std::vector<Tick> ticks_for(int columns) const {
    for (int wanted = std::max(1, columns / 8);; --wanted) {
      std::vector<Tick> ticks = nice_ticks(view_.x, wanted);
      std::size_t widest = 0;
      for (const Tick& tick : ticks) widest = std::max(widest, tick.label.size());
      if (wanted == 1 || ticks.size() * (widest + 3) <= static_cast<std::size_t>(columns)) return ticks;
    }
  }

  // The letters of different curves in different columns, so that none hides another where curves meet.
  void put_letters() {
    const int count = static_cast<int>(plot_.series.size());
    const int apart = std::max(kLettersApart, count);
    for (int curve = 0; curve < count; ++curve) {
      const char letter = letter_of(static_cast<std::size_t>(curve));
      const int first = apart * (2 * curve + 1) / (2 * count);
      bool marked = false;
      for (int column = first; column < canvas_.columns(); column += apart) {
        marked = canvas_.mark(column, curve, letter) || marked;
      }
      for (int k = 0; k < canvas_.columns() && !marked; ++k) {
        marked = canvas_.mark((first + k) % canvas_.columns(), curve, letter);
      }
    }
  }

  std::string clean(const std::string& text) const {
    return style_.unicode ? to_utf8(readable(text)) : ascii_text(text);
  }

  std::string cut(const std::string& text, int columns) const {
    return cut_to_columns(clean(text), columns, pieces_.ellipsis);
  }

  void line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text + "\n";
  }

  // Above or below the middle of the canvas, as far as there is room.
  void centred(const std::string& text) {
    if (text.empty()) return;
    const std::string shown = cut(text, style_.columns);
    const int width = terminal_columns(shown);
    const int left = margin_ + 2 + (canvas_.columns() - width) / 2;
    line(blanks(std::clamp(left, 0, style_.columns - width)) + shown);
  }

  std::string edge_of(int row) const {
    for (const Tick& tick : y_ticks_) {
      if (canvas_.row_of(view_.y.fraction(tick.value)) != row) continue;
      const std::string label = cut(tick.label, margin_);
      return blanks(margin_ - static_cast<int>(label.size())) + label + " " + std::string(pieces_.tick);
    }
    return blanks(margin_ + 1) + std::string(pieces_.edge);
  }

  std::string row_text(int row) const {
    std::string text;
    int color = -1;
    for (int column = 0; column < canvas_.columns(); ++column) {
      const int wanted = canvas_.cell(column, row).curve;
      if (style_.color && wanted != color) {
        text += wanted < 0 ? "\x1b[0m" : color_of(static_cast<std::size_t>(wanted));
        color = wanted;
      }
      text += cell_text(column, row);
    }
    if (color >= 0) text += "\x1b[0m";
    return text;
  }

  std::string color_of(std::size_t series) const {
    return "\x1b[38;5;" + std::to_string(line_style(series, plot_.series.size()).terminal_color) + "m";
  }

  std::string cell_text(int column, int row) const {
    const Canvas::Cell& cell = canvas_.cell(column, row);
    if (cell.letter != 0) return std::string(1, cell.letter);
    if (cell.dots != 0)
      return style_.unicode ? to_utf8(std::u32string(1, char32_t{0x2800} + cell.dots)) : ascii_dot(cell);
    if (view_.empty) return " ";
    // Not beside the edge, which serves as an axis as well.
    const bool across = view_.y.contains(0) && row == zero_row() && row != canvas_.rows() - 1;
    const bool up = view_.x.contains(0) && column == zero_column() && column != 0;
    if (across) return std::string(up ? pieces_.crossing : pieces_.across);
    return up ? std::string(pieces_.up) : " ";
  }

  int zero_row() const { return canvas_.row_of(view_.y.fraction(0)); }
  int zero_column() const { return canvas_.column_of(view_.x.fraction(0)); }

  std::string ascii_dot(const Canvas::Cell& cell) const {
    constexpr std::string_view kDots = "*o#x@%&=";
    return std::string(1, kDots[static_cast<std::size_t>(cell.curve) % kDots.size()]);
  }

  void x_axis() {
    std::string labels;
    std::vector<bool> is_tick(static_cast<std::size_t>(canvas_.columns()));
    for (const Tick& tick : x_ticks_) {
      const int column = canvas_.column_of(view_.x.fraction(tick.value));
      const int width = static_cast<int>(tick.label.size());
      const int left = std::clamp(margin_ + 2 + column - width / 2, 0, std::max(0, style_.columns - width));
      is_tick[static_cast<std::size_t>(column)] = true;
      const int free = left - static_cast<int>(labels.size());
      if (free > 0 || labels.empty()) labels += blanks(free) + cut(tick.label, style_.columns);
    }
    std::string axis = blanks(margin_ + 1) + std::string(pieces_.corner);
    for (const bool tick : is_tick) axis += tick ? pieces_.floor_tick : pieces_.floor;
    line(axis);
    line(labels);
  }

  // One sample and name after another, on as many lines as it takes.
  void legend() {
    const bool nameless = plot_.series.size() == 1 && plot_.series[0].label.empty();
    std::string row;
    int used = 0;
    for (std::size_t i = 0; i < plot_.series.size() && !nameless; ++i) {
      const std::string name = cut(legend_text(plot_.series[i]), style_.columns - 3);
      const int width = 3 + terminal_columns(name);
      if (used > 0 && used + 3 + width > style_.columns) {
        line(row);
        row.clear();
        used = 0;
      }
      row += (used > 0 ? "   " : "") + sample_of(i) + " " + name;
      used += (used > 0 ? 3 : 0) + width;
    }
    if (!row.empty()) line(row);
  }

  // Two columns wide.
  std::string sample_of(std::size_t series) const {
    const std::string dot = style_.unicode ? "" : ascii_dot({.curve = static_cast<int>(series)});
    if (uses_letters()) return std::string(1, letter_of(series)) + (style_.unicode ? ":" : dot);
    const std::string sample = style_.unicode ? "──" : dot + dot;
    return style_.color ? color_of(series) + sample + "\x1b[0m" : sample;
  }

  const LinePlot& plot_;
  const TerminalStyle& style_;
  const Pieces& pieces_;
  PlotFrame view_;
  std::vector<Tick> y_ticks_;
  int margin_;  // columns of the labels of the y axis
  Canvas canvas_;
  std::vector<Tick> x_ticks_;
  std::string text_;
};

}  // namespace

std::string to_terminal(const LinePlot& plot, const TerminalStyle& style) {
  if (style.columns < kFewestColumns || style.rows < kFewestRows || std::max(style.columns, style.rows) > kMost) {
    throw Error(ErrorCode::kUsage, "a terminal plot takes at least " + std::to_string(kFewestColumns) +
                                       " columns and " + std::to_string(kFewestRows) + " rows");
  }
  return TerminalDrawing(drawn_plot(plot), style).draw();
}

}  // namespace actforge
