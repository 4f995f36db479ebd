#include "actforge/report/graphs/point_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/plot_helpers.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace testing;

PointPicture picture(std::size_t places) {
  PointPicture made = {.title = "a <map> & more", .x = {0, 1, 2}, .y = {0, 3, -1}};
  made.known = {{.x = 1, .y = 3, .name = "ReLU"}, {.x = 1, .y = 2.99, .name = "<Swish>"}};
  for (std::size_t i = 0; i < places; ++i) {
    made.made.push_back(
        {.x = 0.1 * static_cast<double>(i), .y = 1, .wanted = sampled("", relu), .function = sampled("", swish)});
  }
  return made;
}

std::vector<std::string> words(const XmlElement& svg) {
  std::vector<std::string> found;
  for (const XmlElement* text : svg.all("text")) found.push_back(text->text);
  return found;
}

bool has(const std::vector<std::string>& list, const std::string& word) { return std::ranges::count(list, word) > 0; }

TEST(PointPicture, HasEveryNameAndPlace) {
  const XmlElement svg = read_xml(to_svg(picture(7)));
  const std::vector<std::string> found = words(svg);
  for (const char* word : {"a <map> & more", "ReLU", "<Swish>", "1", "7"}) EXPECT_TRUE(has(found, word)) << word;
  EXPECT_EQ(std::ranges::count(found, "6"), 2);  // on the map, and in the small plot
}

TEST(PointPicture, NamesOfNeighboursDoNotCoverEachOther) {
  const XmlElement svg = read_xml(to_svg(picture(1)));
  std::vector<std::pair<double, double>> at;
  for (const XmlElement* text : svg.all("text")) {
    if (text->text == "ReLU" || text->text == "<Swish>") at.emplace_back(text->number("x"), text->number("y"));
  }
  ASSERT_EQ(at.size(), 2U);
  EXPECT_TRUE(std::fabs(at[0].second - at[1].second) > 10 || std::fabs(at[0].first - at[1].first) > 30);
}

TEST(PointPicture, SaysHowFarAxesGo) {
  PointPicture alike = picture(3);
  const auto count = [](const PointPicture& made) {
    const std::vector<std::string> found = words(read_xml(to_svg(made)));
    return std::ranges::count_if(found, [](const auto& word) { return word.starts_with("y "); });
  };
  EXPECT_EQ(count(alike), 3);
  alike.same_axes = true;
  EXPECT_EQ(count(alike), 0);
}

TEST(PointPicture, NothingToShowIsNoError) {
  EXPECT_NO_THROW(read_xml(to_svg(PointPicture{})));
  EXPECT_NO_THROW(read_xml(to_svg(picture(0))));
  EXPECT_NO_THROW(read_xml(to_svg(picture(60))));
  PointPicture wrong = picture(1);
  wrong.x.pop_back();
  EXPECT_THROW(to_svg(wrong), Error);
}

}  // namespace
}  // namespace actforge
