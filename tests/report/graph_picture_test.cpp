#include "actforge/report/graphs/graph_picture.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/report/plot_helpers.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace testing;

GraphPicture chain(std::size_t length) {
  GraphPicture picture{.title = "chain", .subtitle = "of boxes", .families = {"first", "second"}};
  for (std::size_t i = 0; i < length; ++i) {
    PictureNode node{.name = "node_" + std::to_string(i), .size = "3×4", .detail = "detail", .count = "1,234"};
    node.family = i % 2;
    if (i > 0) node.inputs = {i - 1};
    picture.nodes.push_back(node);
  }
  return picture;
}

struct Box {
  double x, y, width, height;
};

std::vector<Box> boxes_of(const XmlElement& svg) {
  std::vector<Box> boxes;
  for (const XmlElement& group : svg.of_class("boxes")->children) {
    Box box{};
    // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion): the SVG is ours
    EXPECT_EQ(std::sscanf(group["transform"].c_str(), "translate(%lf %lf)", &box.x, &box.y), 2);
    box.width = group.only("rect").number("width");
    box.height = group.only("rect").number("height");
    boxes.push_back(box);
  }
  return boxes;
}

void expect_apart_and_inside(const XmlElement& svg) {
  const std::vector<Box> boxes = boxes_of(svg);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& a = boxes[i];
    EXPECT_TRUE(a.x >= 0 && a.y >= 0);
    EXPECT_LE(a.x + a.width, svg.number("width"));
    EXPECT_LE(a.y + a.height, svg.number("height"));
    for (std::size_t j = 0; j < i; ++j) {
      const Box& b = boxes[j];
      EXPECT_TRUE(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y);
    }
  }
}

TEST(GraphPicture, ShowsEveryBoxAndEveryEdge) {
  const XmlElement svg = read_xml(to_svg(chain(7)));
  EXPECT_EQ(boxes_of(svg).size(), 7u);
  EXPECT_EQ(svg.of_class("edges")->children.size(), 6u);
  EXPECT_EQ(svg.of_class("arrows")->children.size(), 6u);
  expect_apart_and_inside(svg);
  const std::vector<const XmlElement*> texts = svg.of_class("boxes")->children[3].all("text");
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0]->text, "node_3");
  EXPECT_EQ(texts[1]->text, "3×4");
  EXPECT_EQ(texts[2]->text, "detail");
  EXPECT_EQ(texts[3]->text, "1,234");
}

TEST(GraphPicture, LegendHasWhatIsThere) {
  GraphPicture picture = chain(2);
  picture.families.emplace_back("absent");
  const XmlElement svg = read_xml(to_svg(picture));
  std::string names;
  for (const XmlElement* text : svg.of_class("legend")->all("text")) names += text->text + " ";
  EXPECT_EQ(names, "first second ");
  EXPECT_NE(boxes_of(svg).size(), 0u);
  const auto& boxes = svg.of_class("boxes")->children;
  EXPECT_NE(boxes[0].only("rect")["fill"], boxes[1].only("rect")["fill"]);
}

TEST(GraphPicture, LongGraphsBecomePagesAndNotRibbons) {
  for (const std::size_t length : {25, 100, 1000}) {
    const XmlElement svg = read_xml(to_svg(chain(length)));
    expect_apart_and_inside(svg);
    const double ratio = svg.number("width") / svg.number("height");
    EXPECT_GT(ratio, 0.4) << length;
    EXPECT_LT(ratio, 2.5) << length;
  }
}

TEST(GraphPicture, LongTextIsCutAndShownWhole) {
  GraphPicture picture = chain(2);
  picture.nodes[1].detail = std::string(5000, 'm');
  picture.nodes[1].name = std::string(5000, 'n');
  const XmlElement svg = read_xml(to_svg(picture));
  EXPECT_LT(boxes_of(svg)[1].width, 300);
  const XmlElement& box = svg.of_class("boxes")->children[1];
  EXPECT_LT(box.all("text")[0]->text.size(), 100u);
  EXPECT_NE(box.only("title").text.find(picture.nodes[1].detail), std::string::npos);
}

TEST(GraphPicture, StrangeTextDoesNoHarm) {
  GraphPicture picture = chain(2);
  const std::string strange = "<&\"'>\x02\xFF\n";
  picture.title = picture.subtitle = picture.families[0] = strange;
  picture.nodes[0] = {.name = strange, .size = strange, .detail = strange, .count = strange};
  const XmlElement svg = read_xml(to_svg(picture));
  EXPECT_EQ(svg.of_class("boxes")->children[0].all("text")[0]->text.substr(0, 5), "<&\"'>");
}

TEST(GraphPicture, OddGraphs) {
  EXPECT_EQ(read_xml(to_svg(GraphPicture{})).name, "svg");
  GraphPicture far = chain(3);
  far.nodes[2].family = 1000;
  EXPECT_EQ(boxes_of(read_xml(to_svg(far))).size(), 3u);
  EXPECT_EQ(to_svg(chain(60)), to_svg(chain(60)));
}

TEST(GraphPicture, RefusesWhatCannotBeDrawn) {
  GraphPicture wrong = chain(3);
  wrong.nodes[1].inputs = {1};
  EXPECT_EQ(error_of([&] { to_svg(wrong); }).first, kUsage);
  EXPECT_EQ(error_of([] { to_svg(chain(kMostPictureNodes + 1)); }).first, kUsage);
  GraphPicture dense = chain(300);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < i; ++j) dense.nodes[i].inputs.push_back(j);
  }
  EXPECT_EQ(error_of([&] { to_svg(dense); }).first, kUsage);
  EXPECT_EQ(error_of([] { to_svg(chain(kMostPictureNodes)); }).first, 0);
}

}  // namespace
}  // namespace actforge
