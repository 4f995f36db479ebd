#include "actforge/report/plots/line_plot.h"

#include <gtest/gtest.h>

#include <charconv>
#include <locale>
#include <set>
#include <string_view>

#include "tests/report/plot_helpers.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace actforge::testing;

struct Rect {
  double left, top, right, bottom;
};

Rect frame_rect(const XmlElement& svg) {
  const XmlElement& frame = *svg.of_class("frame");
  return {frame.number("x"), frame.number("y"), frame.number("x") + frame.number("width"),
          frame.number("y") + frame.number("height")};
}

struct Point {
  double x, y;
};

// A number with at most two decimals, none of them a zero at the end; what follows it is left in `text`.
double take_number(std::string_view& text) {
  double value = kNan;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.data()));
  EXPECT_EQ(error, std::errc()) << text;
  const std::size_t point = number.find('.');
  EXPECT_TRUE(point == std::string_view::npos || (number.size() - point <= 3 && number.back() != '0')) << number;
  text.remove_prefix(number.size());
  return value;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

// The pieces of path data: M, then L after L, or a dot that ends in h0.
std::vector<std::vector<Point>> pieces_of(std::string_view data) {
  std::vector<std::vector<Point>> pieces;
  while (!data.empty() && !::testing::Test::HasFailure()) {
    if (take(data, "M")) {
      pieces.emplace_back();
    } else {
      EXPECT_TRUE(take(data, "L")) << data;
    }
    const double x = take_number(data);
    EXPECT_TRUE(take(data, " ")) << data;
    pieces.back().push_back({x, take_number(data)});
    const bool is_dot = take(data, "h0");
    const bool is_last = data.empty() || data.front() == 'M';
    EXPECT_EQ(is_dot, is_last && pieces.back().size() == 1) << data;
  }
  return pieces;
}

std::vector<std::vector<Point>> curve_of(const XmlElement& svg, std::size_t index = 0) {
  return pieces_of((*svg.of_class("curves")->all("path").at(index))["d"]);
}

std::vector<std::string> texts(const XmlElement& svg, const std::string& group) {
  std::vector<std::string> result;
  for (const XmlElement* text : svg.of_class(group)->all("text")) result.push_back(text->text);
  return result;
}

LinePlot plot_of(std::vector<Series> series) {
  return {.title = "A title", .x_label = "the input", .y_label = "the output", .series = std::move(series)};
}

LinePlot many(std::size_t count, const std::string& label = "curve ") {
  LinePlot plot = plot_of({});
  for (std::size_t i = 0; i < count; ++i) {
    plot.series.push_back(sampled(label + std::to_string(i), [i](double x) { return x + static_cast<double>(i); }));
  }
  return plot;
}

TEST(XmlReader, RefusesWhatIsNotWellFormed) {
  EXPECT_EQ(read_xml("<a b=\"&lt;\">x&amp;<c/></a>").text, "x&");
  for (const char* bad : {"<a>", "<a></b>", "<a b=c/>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a>&nbsp;</a>", "<a/><b/>",
                          "<a b=\"<\"/>", "<a>\x01</a>", "<a"}) {
    EXPECT_THROW(read_xml(bad), std::runtime_error) << bad;
  }
}

TEST(LinePlot, SaysWhatItShows) {
  const XmlElement svg = read_xml(to_svg(plot_of({sampled("relu(x)", relu), sampled("swish(x)", swish)})));
  EXPECT_EQ(svg.name, "svg");
  EXPECT_EQ(svg["role"], "img");
  EXPECT_EQ(svg["width"], "720");
  EXPECT_EQ(svg["viewBox"], "0 0 720 440");
  EXPECT_TRUE(svg["font-family"].starts_with("'DejaVu Sans',"));
  EXPECT_EQ(svg.only("title").text, "A title");
  const std::string desc = svg.only("desc").text;
  EXPECT_NE(desc.find("the input from -5 to 5"), std::string::npos) << desc;
  EXPECT_NE(desc.find("relu(x), swish(x)"), std::string::npos) << desc;
  EXPECT_EQ(svg["aria-labelledby"], svg.only("title")["id"] + " " + svg.only("desc")["id"]);
  EXPECT_EQ(texts(svg, "legend"), (std::vector<std::string>{"relu(x)", "swish(x)"}));
  EXPECT_EQ(texts(svg, "x-ticks").front(), "−5");
  // The background is drawn before anything else.
  const XmlElement& background = svg.children.at(2);
  EXPECT_EQ(background.name + background["width"] + background["height"] + background["fill"], "rect720440#ffffff");
  std::set<std::string> shown;
  for (const XmlElement* text : svg.all("text")) shown.insert(text->text);
  EXPECT_TRUE(shown.contains("A title") && shown.contains("the input") && shown.contains("the output"));
}

TEST(LinePlot, PutsPointsWhereTheyBelong) {
  LinePlot plot = plot_of({{"v", {0, 1, 2, 4}, {0, 10, 5, 2.5}}});
  plot.y_min = 0;
  plot.y_max = 10;
  const XmlElement svg = read_xml(to_svg(plot));
  const Rect frame = frame_rect(svg);
  const auto pieces = curve_of(svg);
  ASSERT_EQ(pieces.size(), 1u);
  const std::vector<Point> expected{{frame.left, frame.bottom},
                                    {frame.left + 0.25 * (frame.right - frame.left), frame.top},
                                    {(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2},
                                    {frame.right, frame.bottom - 0.25 * (frame.bottom - frame.top)}};
  ASSERT_EQ(pieces[0].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(pieces[0][i].x, expected[i].x, 0.02);
    EXPECT_NEAR(pieces[0][i].y, expected[i].y, 0.02);
  }
}

TEST(LinePlot, EmphasisesAxesThroughZeroOnlyIfZeroIsInRange) {
  const auto axes = [](Series series) {
    return read_xml(to_svg(plot_of({std::move(series)}))).of_class("zero")->all("path").size();
  };
  EXPECT_EQ(axes(sampled("a", [](double x) { return x; })), 2u);
  EXPECT_EQ(axes(sampled("a", [](double x) { return 10 + x; }, {-5, 1, 50})), 1u);
  EXPECT_EQ(axes(sampled("a", [](double x) { return 10 + x; }, {1, 5, 50})), 0u);
}

TEST(LinePlot, EscapesEveryText) {
  const std::string evil = "</text><script>alert(\"1\")</script> & 'x' ]]> <![CDATA[";
  const std::string dirty = evil + "\x1b\x02\xFF";
  LinePlot plot{
      .title = dirty, .x_label = evil, .y_label = evil, .series = {sampled(dirty, relu), sampled(evil, swish)}};
  plot.width = 2000;
  plot.height = 900;
  const std::string text = to_svg(plot);
  const XmlElement svg = read_xml(text);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const std::string cleaned = evil + "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD";
  EXPECT_EQ(svg.only("title").text, cleaned);
  EXPECT_EQ(texts(svg, "legend"), (std::vector<std::string>{cleaned, evil}));
  EXPECT_EQ(svg.of_class("curves")->all("path").at(1)->only("title").text, evil);
  std::multiset<std::string> shown;
  for (const XmlElement* element : svg.all("text")) shown.insert(element->text);
  EXPECT_EQ(shown.count(evil), 3u);     // two axes and a curve
  EXPECT_EQ(shown.count(cleaned), 2u);  // the title and a curve
}

TEST(LinePlot, GapsBreakTheCurveAndLonePointsAreDots) {
  const XmlElement svg = read_xml(to_svg(plot_of({{"g", {0, 1, 2, 3, 4, 5, 6}, {0, 1, kNan, 1, kInf, 0, 2}}})));
  const auto paths = svg.of_class("curves")->all("path");
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(pieces_of((*paths[0])["d"]).size(), 2u);
  EXPECT_EQ(pieces_of((*paths[1])["d"]).size(), 1u);
  EXPECT_TRUE((*paths[1])["d"].ends_with("h0"));
  EXPECT_EQ((*paths[0])["stroke"], (*paths[1])["stroke"]);
}

TEST(LinePlot, CurvesStayInTheFrameAndPolesAreNotBridged) {
  const auto tangent = [](double x) { return std::tan(x); };
  const XmlElement svg =
      read_xml(to_svg(plot_of({sampled("1/x", inverse, {-5, 5, 400}), sampled("tan", tangent),
                               sampled("exp(exp)", [](double x) { return std::exp(std::exp(x)); })})));
  const Rect frame = frame_rect(svg);
  EXPECT_EQ(curve_of(svg, 0).size(), 2u);
  EXPECT_EQ(curve_of(svg, 1).size(), 5u);  // poles at -4.71, -1.57, 1.57, 4.71
  EXPECT_EQ(curve_of(svg, 2).size(), 1u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (const auto& piece : curve_of(svg, i)) {
      for (std::size_t k = 0; k < piece.size(); ++k) {
        EXPECT_GE(piece[k].x, frame.left - 4.01);
        EXPECT_LE(piece[k].x, frame.right + 4.01);
        EXPECT_GE(piece[k].y, frame.top - 4.01);
        EXPECT_LE(piece[k].y, frame.bottom + 4.01);
      }
    }
  }
  const XmlElement& curves = *svg.of_class("curves");
  const XmlElement* clip = svg.all("clipPath").at(0);
  EXPECT_EQ(curves["clip-path"], "url(#" + (*clip)["id"] + ")");
  EXPECT_NEAR(clip->only("rect").number("x"), frame.left, 1.01);
  EXPECT_NEAR(clip->only("rect").number("height"), frame.bottom - frame.top, 2.01);
  EXPECT_NE(svg.only("desc").text.find("beyond the frame"), std::string::npos);
}

TEST(LinePlot, ColoursAndDashesTellCurvesApart) {
  for (const std::size_t count : {2u, 5u, 6u, 12u, 35u}) {
    const XmlElement svg = read_xml(to_svg(many(count)));
    std::set<std::string> colors;
    std::set<std::string> styles;
    bool dashed = false;
    for (const XmlElement* path : svg.of_class("curves")->all("path")) {
      const auto dashes = path->attributes.find("stroke-dasharray");
      dashed = dashed || dashes != path->attributes.end();
      colors.insert((*path)["stroke"]);
      styles.insert((*path)["stroke"] + (dashes == path->attributes.end() ? "" : dashes->second));
    }
    EXPECT_EQ(colors.size(), std::min<std::size_t>(count, 7));
    EXPECT_EQ(styles.size(), count);
    EXPECT_EQ(dashed, count > 5);
  }
}

TEST(LinePlot, LegendUsesTheStyleOfItsCurve) {
  const XmlElement svg = read_xml(to_svg(many(9)));
  const auto curves = svg.of_class("curves")->all("path");
  const auto samples = svg.of_class("legend")->all("path");
  ASSERT_EQ(curves.size(), samples.size());
  for (std::size_t i = 0; i < curves.size(); ++i) {
    EXPECT_EQ((*curves[i])["stroke"], (*samples[i])["stroke"]);
    EXPECT_EQ(curves[i]->attributes.count("stroke-dasharray"), samples[i]->attributes.count("stroke-dasharray"));
  }
}

TEST(LinePlot, LegendIsOutsideOfTheFrameAndInsideOfThePicture) {
  const std::string medium = "max(relu(x),cosh(elu(x))) number ";
  std::vector<LinePlot> plots{many(1),
                              many(2),
                              many(9),
                              many(20),
                              many(60),
                              many(3, medium),
                              many(9, medium),
                              many(3, std::string(300, 'W')),
                              many(60, std::string(300, 'i'))};
  LinePlot small = many(4);
  small.width = 240;
  small.height = 160;
  plots.push_back(small);
  for (const LinePlot& plot : plots) {
    const XmlElement svg = read_xml(to_svg(plot));
    const Rect frame = frame_rect(svg);
    EXPECT_GT(frame.right - frame.left, 0.4 * plot.width);
    EXPECT_GT(frame.bottom - frame.top, plot.height < 200 ? 25 : 0.4 * plot.height);
    for (const XmlElement* text : svg.of_class("legend")->all("text")) {
      const double x = text->number("x");
      const double y = text->number("y");
      EXPECT_TRUE(x - 31 > frame.right || y - 11 > frame.bottom + 18) << x << " " << y;
      EXPECT_TRUE(0 < x && x < plot.width && y < plot.height - 2) << x << " " << y;
    }
  }
}

TEST(LinePlot, LongLabelIsCutAndKeptAsTooltip) {
  const std::string label = std::string(150, 'a') + std::string(150, '&');
  const XmlElement svg = read_xml(to_svg(plot_of({sampled(label, relu), sampled("short", swish)})));
  const auto entries = svg.of_class("legend")->all("text");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_TRUE(entries[0]->text.ends_with("…"));
  EXPECT_GT(entries[0]->text.size(), 40u);
  EXPECT_LT(entries[0]->text.size(), 120u);
  EXPECT_TRUE(label.starts_with(entries[0]->text.substr(0, 40)));
  EXPECT_EQ(entries[0]->only("title").text, label);
  EXPECT_EQ(entries[1]->text, "short");
  EXPECT_TRUE(entries[1]->children.empty());
}

TEST(LinePlot, TooManyForTheLegendAreCounted) {
  const XmlElement svg = read_xml(to_svg(many(200)));
  const auto entries = svg.of_class("legend")->all("text");
  const std::size_t shown = entries.size() - 1;
  EXPECT_GE(shown, 10u);
  EXPECT_EQ(entries.back()->text, "and " + std::to_string(200 - shown) + " more");
  const std::string& rest = entries.back()->only("title").text;
  EXPECT_TRUE(rest.starts_with("curve " + std::to_string(shown) + ", "));
  EXPECT_TRUE(rest.ends_with(", curve 199"));
}

TEST(LinePlot, NothingToShowIsSaid) {
  const auto shows = [](const LinePlot& plot, const std::string& wanted) {
    const XmlElement svg = read_xml(to_svg(plot));
    for (const XmlElement* text : svg.all("text")) {
      if (text->text == wanted) return true;
    }
    return false;
  };
  const Series nothing = sampled("0/0", [](double) { return kNan; });
  EXPECT_TRUE(shows({}, "no finite values to show"));
  EXPECT_TRUE(shows(plot_of({nothing}), "no finite values to show"));
  EXPECT_TRUE(shows(plot_of({nothing, sampled("r", relu)}), "0/0 (no finite value)"));
  EXPECT_FALSE(shows(plot_of({nothing, sampled("r", relu)}), "no finite values to show"));
  EXPECT_EQ(curve_of(read_xml(to_svg(plot_of({sampled("3", [](double) { return 3; })})))).size(), 1u);
}

// Several plots on one page must not use each other's clip paths; the same plot is always the same text.
TEST(LinePlot, IdsDependOnThePlotAlone) {
  const std::string a = to_svg(plot_of({sampled("a", relu)}));
  const std::string b = to_svg(plot_of({sampled("a", swish)}));
  EXPECT_EQ(a, to_svg(plot_of({sampled("a", relu)})));
  std::set<std::string> ids;
  for (const std::string& text : {a, b}) {
    const XmlElement svg = read_xml(text);
    for (const char* name : {"title", "desc", "clipPath"}) ids.insert((*svg.all(name).at(0))["id"]);
  }
  EXPECT_EQ(ids.size(), 6u);
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(LinePlot, LocaleDoesNotMatter) {
  LinePlot plot = plot_of({sampled("a", [](double x) { return 12345.678 * x; })});
  plot.width = 1500;
  const std::string usual = to_svg(plot);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string foreign = to_svg(plot);
  std::locale::global(before);
  EXPECT_EQ(usual, foreign);
}

TEST(LinePlot, SizesThatMakeNoSenseAreRefused) {
  for (const auto& [width, height] : {std::pair{0, 440}, {720, -1}, {100, 100}, {720, 1000000}}) {
    LinePlot plot = plot_of({sampled("a", relu)});
    plot.width = width;
    plot.height = height;
    EXPECT_EQ(error_of([&] { to_svg(plot); }).first, kUsage) << width << " " << height;
  }
}

}  // namespace
}  // namespace actforge
