#include "actforge/report/plots/terminal_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "actforge/report/svg/text.h"
#include "tests/report/plot_helpers.h"

namespace actforge {
namespace {

using namespace actforge::testing;

// Without "ESC [ 0 m" and "ESC [ 38 ; 5 ; number m", the two sequences that we use.
std::string without_colors(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view here = std::string_view(text).substr(i);
    const std::size_t digits = here.starts_with("\x1b[38;5;") ? 7 : here.starts_with("\x1b[0m") ? 2 : 0;
    const std::size_t end = digits == 0 ? 0 : here.find_first_not_of("0123456789", digits);
    if (digits != 0 && end != digits && end != std::string_view::npos && here[end] == 'm') {
      i += end;
    } else {
      rest += text[i];
    }
  }
  return rest;
}

// Characters of each line, without colours.
std::vector<std::u32string> lines_of(const std::string& text) {
  EXPECT_TRUE(text.empty() || text.back() == '\n');
  std::istringstream stream(without_colors(text));
  std::vector<std::u32string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(readable(line));
  return lines;
}

bool is_braille(char32_t c) { return 0x2800 < c && c <= 0x28FF; }

LinePlot identity() { return {.series = {{"", {0, 1}, {0, 1}}}, .y_min = 0, .y_max = 1}; }

std::vector<LinePlot> assorted() {
  const std::string evil = "\x1b[31m\xC2\x9B" + std::string(300, 'l') + " 中文\n";
  std::vector<LinePlot> plots{{}, identity()};
  plots.push_back({.title = evil,
                   .x_label = evil,
                   .y_label = evil,
                   .series = {sampled(evil, relu), sampled("中文" + evil, swish)}});
  plots.push_back({.title = "中文中文中文中文中文中文中文中文中文中文中文中文中文中文中文中文",
                   .series = {sampled("1/x", inverse)}});
  plots.push_back({.series = {sampled("n", [](double) { return kNan; })}});
  plots.push_back({.series = {sampled("c", [](double) { return -1e-150; }), {"h", {-1e308, 1e308}, {1e308, -1e308}}}});
  plots.push_back({.series = {sampled("offset", [](double x) { return 1e9 + 1e-3 * x; }, {1e9, 1e9 + 1e-2, 50})}});
  plots.push_back({});
  for (int i = 0; i < 70; ++i)
    plots.back().series.push_back(sampled("curve " + std::to_string(i), [i](double x) { return x + i; }));
  return plots;
}

TEST(TerminalPlot, NoLineIsWiderThanTheTerminal) {
  for (const LinePlot& plot : assorted()) {
    for (const int columns : {30, 31, 57, 80, 200}) {
      for (const bool unicode : {false, true}) {
        for (const bool color : {false, true}) {
          const std::string text =
              to_terminal(plot, {.columns = columns, .rows = 9, .unicode = unicode, .color = color});
          const auto lines = lines_of(text);
          EXPECT_GE(lines.size(), 11u);
          int widest = 0;
          for (const std::u32string& line : lines) {
            widest = std::max(widest, terminal_columns(to_utf8(line)));
            EXPECT_TRUE(line.empty() || line.back() != ' ');
          }
          EXPECT_LE(widest, columns) << text;
          EXPECT_EQ(widest, columns) << "the axis is as wide as the terminal\n" << text;
        }
      }
    }
  }
}

TEST(TerminalPlot, AsciiIsAscii) {
  for (const LinePlot& plot : assorted()) {
    for (const char c : to_terminal(plot, {.unicode = false}))
      EXPECT_TRUE(c == '\n' || (' ' <= c && c <= '~')) << int{c};
  }
}

TEST(TerminalPlot, EscapesAreOursAlone) {
  for (const LinePlot& plot : assorted()) {
    EXPECT_EQ(to_terminal(plot).find('\x1b'), std::string::npos);
    const std::string colored = to_terminal(plot, {.color = true});
    EXPECT_EQ(without_colors(colored).find('\x1b'), std::string::npos);
    EXPECT_EQ(colored.find("\xC2\x9B"), std::string::npos);
    std::istringstream stream(colored);
    for (std::string line; std::getline(stream, line);) {  // no colour runs on into the next line
      const std::size_t last = line.rfind("\x1b[");
      EXPECT_TRUE(last == std::string::npos || line.substr(last, 4) == "\x1b[0m") << line;
    }
  }
}

TEST(TerminalPlot, ColoursTellCurvesApart) {
  const std::string text =
      to_terminal({.series = {sampled("a", relu), sampled("b", [](double x) { return -x; })}}, {.color = true});
  EXPECT_NE(text.find("\x1b[38;5;32m"), std::string::npos);
  EXPECT_NE(text.find("\x1b[38;5;202m"), std::string::npos);
  EXPECT_NE(text.find("\x1b[38;5;202m──\x1b[0m b\n"), std::string::npos) << text;
}

// A diagonal from corner to corner, of dots that lie on it.
TEST(TerminalPlot, DotsLieOnTheCurve) {
  const auto lines = lines_of(to_terminal(identity(), {.columns = 62, .rows = 15}));
  ASSERT_EQ(lines.size(), 17u);
  const std::size_t left = lines[15].find(U'└') + 1;
  ASSERT_NE(left, 0u);
  const double columns = 62.0 - static_cast<double>(left);
  constexpr int kRowOfBit[8] = {0, 1, 2, 0, 1, 2, 3, 3};
  constexpr int kColumnOfBit[8] = {0, 0, 0, 1, 1, 1, 0, 1};
  int dots = 0;
  for (std::size_t row = 0; row < 15; ++row) {
    for (std::size_t column = left; column < lines[row].size(); ++column) {
      if (!is_braille(lines[row][column])) continue;
      for (int bit = 0; bit < 8; ++bit) {
        if (((lines[row][column] - 0x2800u) >> bit & 1u) == 0) continue;
        const double u = (static_cast<double>(column - left) + (kColumnOfBit[bit] + 0.5) / 2) / columns;
        const double v = 1 - (static_cast<double>(row) + (kRowOfBit[bit] + 0.5) / 4) / 15;
        EXPECT_NEAR(u, v, 1.0 / 60);
        ++dots;
      }
    }
  }
  EXPECT_GE(dots, 2 * static_cast<int>(columns));
  EXPECT_TRUE(is_braille(lines[0].back()));
  EXPECT_TRUE(is_braille(lines[14][left]));
}

TEST(TerminalPlot, AsciiPictures) {
  EXPECT_EQ(to_terminal(identity(), {.columns = 34, .rows = 6, .unicode = false}),
            "  1 +                         ****\n"
            "    |                    *****\n"
            "0.5 +               *****\n"
            "    |          *****\n"
            "    |     *****\n"
            "  0 +*****\n"
            "    ++-------------+-------------+\n"
            "     0            0.5            1\n");
  const LinePlot cross{.series = {{"", {-1, -0.5, kNan, 0.5, 1}, {1, 1, 0, -1, -1}}}, .y_min = -1, .y_max = 1};
  EXPECT_EQ(to_terminal(cross, {.columns = 35, .rows = 5, .unicode = false}),
            " 1 +********       |\n"
            "   |               |\n"
            " 0 +---------------+---------------\n"
            "   |               |\n"
            "-1 +               |       ********\n"
            "   ++--------------+--------------+\n"
            "   -1              0              1\n");
}

TEST(TerminalPlot, GapsAndPolesStayEmpty) {
  const LinePlot gap{.series = {{"", {0, 4, 5, 6, 10}, {1, 1, kNan, 1, 1}}}, .y_min = 0.5, .y_max = 1.5};
  const auto row = lines_of(to_terminal(gap, {.columns = 105, .rows = 5})).at(2);
  const std::size_t left = row.find(U'┤') + 1;
  const double width = 105.0 - static_cast<double>(left);
  for (std::size_t column = left; column < 105; ++column) {
    const double x = 10 * (static_cast<double>(column - left) + 0.5) / width;
    if (std::abs(x - 4) < 0.2 || std::abs(x - 6) < 0.2) continue;
    EXPECT_EQ(column < row.size() && is_braille(row[column]), x < 4 || x > 6) << x;
  }
  // The middle of 1/x is the axis through zero, not the curve.
  const auto pole =
      lines_of(to_terminal({.series = {sampled("", inverse, {-5, 5, 4000})}}, {.columns = 104, .rows = 20}));
  for (const std::size_t line : {std::size_t{5}, std::size_t{14}}) {
    EXPECT_EQ(std::count(pole[line].begin(), pole[line].end(), U'│'), 2) << line;
  }
}

TEST(TerminalPlot, LettersNameCurvesWithoutColour) {
  const LinePlot plot{.series = {sampled("one", relu),
                                 sampled("two", [](double x) { return 3 - x; }),
                                 {"three", {-4.9, -4.8}, {-4, -4}},
                                 sampled("none", [](double) { return kNan; })}};
  for (const bool unicode : {false, true}) {
    const auto lines = lines_of(to_terminal(plot, {.unicode = unicode}));
    std::u32string canvas;
    for (std::size_t i = 0; i < 20; ++i) canvas += lines[i];
    EXPECT_GE(std::count(canvas.begin(), canvas.end(), U'A'), 2);
    EXPECT_GE(std::count(canvas.begin(), canvas.end(), U'B'), 2);
    EXPECT_EQ(std::count(canvas.begin(), canvas.end(), U'C'), 1);
    EXPECT_EQ(std::count(canvas.begin(), canvas.end(), U'D'), 0);
    EXPECT_EQ(to_utf8(lines.back()), unicode ? "A: one   B: two   C: three   D: none (no finite value)"
                                             : "A* one   Bo two   C# three   Dx none (no finite value)");
  }
  EXPECT_EQ(to_terminal({.series = {sampled("one", relu)}}).find('A'), std::string::npos);
}

TEST(TerminalPlot, TitlesAndLabelsAreThere) {
  const auto lines = lines_of(
      to_terminal({.title = "My title", .x_label = "input", .y_label = "output", .series = {sampled("r", relu)}}));
  ASSERT_EQ(lines.size(), 1u + 1 + 20 + 2 + 1 + 1);
  EXPECT_NE(lines[0].find(U"My title"), std::u32string::npos);
  EXPECT_EQ(lines[1], U"output");
  EXPECT_TRUE(lines[2].starts_with(U"5 ┤"));
  EXPECT_TRUE(lines[23].ends_with(U'5'));
  EXPECT_NE(lines[24].find(U"input"), std::u32string::npos);
  EXPECT_EQ(lines[25], U"── r");
}

TEST(TerminalPlot, TooSmallIsRefused) {
  EXPECT_EQ(error_of([] { to_terminal({}, {.columns = 29}); }).first, kUsage);
  EXPECT_EQ(error_of([] { to_terminal({}, {.rows = 3}); }).first, kUsage);
  EXPECT_EQ(error_of([] { to_terminal({}, {.columns = 2000000000}); }).first, kUsage);
}

}  // namespace
}  // namespace actforge
