#include "actforge/report/plots/map_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "actforge/report/plots/label_boxes.h"
#include "actforge/report/plots/point_density.h"
#include "actforge/report/svg/color_scale.h"
#include "tests/report/sample_study.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace actforge::testing;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// ---- colours

double luminance(const std::string& color) {
  const double weights[3] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    sum += weights[k] * std::pow(std::stoi(color.substr(1 + 2 * k, 2), nullptr, 16) / 255.0, 2.2);
  }
  return sum;
}

TEST(ColorScale, HasItsEndsAndGetsLighterAllTheWay) {
  EXPECT_EQ(scale_color(0), "#440154");
  EXPECT_EQ(scale_color(1), "#fde725");
  EXPECT_EQ(scale_color(-3), scale_color(0));
  EXPECT_EQ(scale_color(7), scale_color(1));
  EXPECT_EQ(scale_color(kNan), scale_color(0));
  for (int i = 1; i <= 100; ++i) {
    EXPECT_GT(luminance(scale_color(i / 100.0)), luminance(scale_color((i - 1) / 100.0))) << i;
  }
}

// ---- labels

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

void expect_apart(const std::vector<MarkLabel>& labels, const Box& frame) {
  const std::vector<LabelBox> places = place_labels(labels, frame);
  ASSERT_EQ(places.size(), labels.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Box& box = places[i].box;
    EXPECT_NEAR(box.width(), labels[i].width, 1e-9);
    EXPECT_NEAR(box.height(), labels[i].height, 1e-9);
    EXPECT_TRUE(box.left >= frame.left && box.right <= frame.right && box.top >= frame.top &&
                box.bottom <= frame.bottom)
        << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(box, places[j].box)) << i << " " << j;
  }
}

TEST(LabelPlaces, AloneItIsBesideItsMark) {
  const LabelBox place = place_labels({{100, 100, 40, 14}}, {0, 0, 300, 300})[0];
  EXPECT_FALSE(place.apart);
  EXPECT_NEAR(place.box.left, 108, 1e-9);
  EXPECT_NEAR((place.box.top + place.box.bottom) / 2, 100, 1e-9);
}

TEST(LabelPlaces, StayInTheFrameAndApart) {
  const Box frame{0, 0, 340, 300};
  expect_apart(std::vector<MarkLabel>(12, {170, 150, 55, 15}), frame);
  expect_apart(std::vector<MarkLabel>(6, {339, 1, 55, 15}), frame);
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<MarkLabel> labels(12, {0, 0, 55, 15});
    for (MarkLabel& label : labels) {
      label.x = 340 * uniform(random);
      label.y = 300 * uniform(random);
    }
    expect_apart(labels, frame);
  }
}

TEST(LabelPlaces, GoALittleFurtherRatherThanHideOthers) {
  const std::vector<MarkLabel> label{{100, 100, 40, 14}};
  const Box frame{0, 0, 300, 300};
  const Box at_the_right{110, 96, 118, 104};
  const LabelBox place = place_labels(label, frame, {at_the_right})[0];
  EXPECT_FALSE(overlap(place.box, at_the_right));
  EXPECT_FALSE(place.apart);
  // Where all room is taken, it stays near.
  EXPECT_FALSE(place_labels(label, frame, {frame})[0].apart);
}

// ---- density

// Squares that any stroke covers, read back from the paths.
TEST(PointDensity, CoversTheSquaresThatHavePoints) {
  const Box box{10, 20, 50, 60};
  PointDensity density(box, 2);
  std::vector<int> expected(20 * 20);
  std::mt19937 random(1);
  const auto add = [&](double x, double y) {
    density.add(x, y);
    ++expected[static_cast<std::size_t>((y - 20) / 2) * 20 + static_cast<std::size_t>((x - 10) / 2)];
  };
  for (int i = 0; i < 150; ++i) add(10 + 40 * uniform(random), 20 + 40 * uniform(random));
  for (int i = 0; i < 500; ++i) add(31, 41);
  std::vector<int> covered(20 * 20, -1);
  const std::vector<std::string> shades = density.shades();
  for (std::size_t shade = 0; shade < shades.size(); ++shade) {
    for (std::size_t at = 0; (at = shades[shade].find('M', at)) != std::string::npos; ++at) {
      double x = 0, y = 0, length = 0;
      // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion): the SVG is ours
      ASSERT_EQ(std::sscanf(shades[shade].c_str() + at, "M%lf %lfh%lf", &x, &y, &length), 3);
      for (double end = x + length; x < end - 0.1; x += 2) {
        int& cell = covered[static_cast<std::size_t>((y - 20) / 2) * 20 + static_cast<std::size_t>((x - 10) / 2)];
        EXPECT_EQ(cell, -1);
        cell = static_cast<int>(shade);
      }
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(covered[i] >= 0, expected[i] > 0) << i;
    if (expected[i] == 1) {
      EXPECT_EQ(covered[i], 0);
    }
    if (expected[i] > 400) {
      EXPECT_EQ(covered[i], 4);
    }
  }
}

TEST(PointDensity, TakesPointsOnTheEdges) {
  PointDensity density({0, 0, 10, 10}, 3);
  for (const double at : {0.0, 10.0, -1e-9, 10 + 1e-9}) density.add(at, at);
  EXPECT_EQ(density.shades().back(), "M0 1.5h3M9 10.5h3");
}

// ---- the map

FunctionMapPicture scattered(std::size_t functions, std::size_t trials) {
  std::mt19937 random(5);
  FunctionMapPicture map = {.title = "a map", .score_name = "accuracy"};
  const auto place = [&] { return MapPoint{10 * uniform(random), 6 * uniform(random)}; };
  for (std::size_t i = 0; i < functions; ++i) map.functions.push_back(place());
  for (std::size_t i = 0; i < trials; ++i) {
    map.trials.push_back({.place = place(), .number = static_cast<std::int64_t>(i), .expression = "swish(x)"});
    if (i % 5 != 4) map.trials.back().score = 0.1 + 0.8 * uniform(random);
  }
  for (const char* name : {"ELU", "ReLU", "-|x|"}) map.known.push_back({place(), name});
  return map;
}

TEST(MapChart, ShowsFunctionsTrialsAndNames) {
  const std::string svg = map_chart(scattered(200, 20));
  const XmlElement picture = read_xml(svg);
  EXPECT_EQ(count(picture.of_class("dots")->attributes.at("d"), "M"), 200u);
  EXPECT_EQ(count(picture.of_class("failed")->attributes.at("d"), "M"), 4u);
  EXPECT_EQ(count(picture.of_class("known")->attributes.at("d"), "M"), 3u);
  EXPECT_EQ(picture.of_class("names")->all("text").size(), 3u);
  EXPECT_EQ(picture.of_class("names")->all("text")[2]->text, "−|x|");
  EXPECT_EQ(picture.all("circle").size(), 16u + 3u);  // tooltips, and the keys of dots and rings
  EXPECT_NE(svg.find("trial 3: swish(x), 0."), std::string::npos);
  EXPECT_NE(svg.find(">accuracy<"), std::string::npos);
  EXPECT_GE(picture.of_class("scale-ticks")->all("text").size(), 2u);
}

TEST(MapChart, ScoresOfWellKnownFunctionsStayVisible) {
  FunctionMapPicture map = scattered(20, 6);
  map.known[1].place = map.trials[2].place;
  const XmlElement picture = read_xml(map_chart(map));
  EXPECT_EQ(count(picture.of_class("known")->attributes.at("d"), "M"), 2u);
  EXPECT_EQ(count(picture.of_class("known-tried")->attributes.at("d"), "M"), 1u);
  EXPECT_EQ(picture.of_class("known-tried")->attributes.at("fill"), "none");
}

TEST(MapChart, WithoutTrialsThereAreNoColours) {
  const XmlElement picture = read_xml(map_chart(scattered(50, 0)));
  EXPECT_EQ(picture.of_class("scale"), nullptr);
  EXPECT_EQ(picture.of_class("failed"), nullptr);
  EXPECT_EQ(map_chart({}), "");
}

// The best trial has the lightest colour and is drawn last.
TEST(MapChart, BetterIsLighter) {
  for (const bool less : {false, true}) {
    FunctionMapPicture map = scattered(10, 0);
    map.less_is_better = less;
    for (int i = 0; i < 5; ++i) {
      map.trials.push_back({.place = {1.0 + i, 3}, .number = i, .expression = "tanh(x)", .score = 0.2 * i});
    }
    const XmlElement picture = read_xml(map_chart(map));
    const auto dots = picture.of_class("trials")->all("path");
    ASSERT_EQ(dots.size(), 10u);  // each on its edge
    EXPECT_EQ((*dots[1])["stroke"], "#440154");
    EXPECT_EQ((*dots[9])["stroke"], "#fde725");
    const double worst = std::stod((*dots[1])["d"].substr(1)), best = std::stod((*dots[9])["d"].substr(1));
    EXPECT_EQ(best > worst, !less);
  }
}

TEST(MapChart, OneScoreOrAnAbsurdOneIsNoTrouble) {
  FunctionMapPicture map = scattered(10, 0);
  map.trials.push_back({.place = {1, 1}, .expression = "tanh(x)", .score = 0.5});
  EXPECT_EQ(map_chart(map).find("nan"), std::string::npos);
  map.trials.push_back({.place = {1, 1}, .expression = "tanh(x)", .score = 1e300});
  map.trials.push_back({.place = {1, 1}, .expression = "tanh(x)", .score = kNan});
  map.functions.assign(3, {2, 2});
  for (const double width : {360.0, 720.0}) {
    const std::string svg = map_chart(map, width);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(read_xml(svg)["width"], width == 360 ? "360" : "720");
  }
}

TEST(MapChart, StaysSmallHoweverManyThereAre) {
  const std::string svg = map_chart(scattered(400'000, 20'000));
  EXPECT_LT(svg.size(), 2'000'000u);
  const XmlElement picture = read_xml(svg);
  EXPECT_EQ(count(svg, "class=\"density\""), PointDensity::kShades);
  EXPECT_LT(count(svg, "<"), 2000u);
}

TEST(MapChart, NamesAreNoMarkup) {
  FunctionMapPicture map = scattered(3, 3);
  map.title = map.score_name = map.known[0].name = map.trials[0].expression = "<b>\"&</text>";
  const XmlElement picture = read_xml(map_chart(map));
  EXPECT_TRUE(picture.all("b").empty());
}

}  // namespace
}  // namespace actforge
