#include "actforge/report/page/family_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "actforge/report/page/family_picture.h"
#include "tests/report/sample_study.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace actforge::testing;

bool contains(const std::vector<std::size_t>& lanes, std::size_t lane) {
  return std::find(lanes.begin(), lanes.end(), lane) != lanes.end();
}

// Follows every line upwards, as an eye would, to where it ends.
std::set<std::pair<std::size_t, std::size_t>> edges_seen(const FamilyLanes& lanes) {
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t child = 0; child < lanes.rows.size(); ++child) {
    for (const std::size_t lane : lanes.rows[child].parents) {
      std::size_t row = child;
      if (row > 0) --row;
      while (row > 0 && contains(lanes.rows[row].passing, lane)) --row;
      EXPECT_EQ(lanes.rows[row].lane, lane) << "the line from " << child << " ends nowhere";
      EXPECT_TRUE(lanes.rows[row].has_child);
      edges.emplace(row, child);
    }
  }
  return edges;
}

std::set<std::pair<std::size_t, std::size_t>> edges_of(const std::vector<PageAncestor>& family) {
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t child = 0; child < family.size(); ++child) {
    for (const std::int64_t number : family[child].parents) {
      for (std::size_t i = 0; i < child; ++i) {
        if (family[i].number == number) edges.emplace(i, child);
      }
    }
  }
  return edges;
}

TEST(FamilyLanes, AChainIsOneLine) {
  std::mt19937 random(1);
  const FamilyLanes lanes = lanes_of(sample_family(150, 1, random));
  EXPECT_EQ(lanes.lanes, 1u);
  for (const FamilyRow& row : lanes.rows) EXPECT_TRUE(row.passing.empty());
  EXPECT_FALSE(lanes.rows.back().has_child);
}

TEST(FamilyLanes, EveryLineLeadsFromParentToChild) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const std::vector<PageAncestor> family = sample_family(1 + random() % 130, 1 + seed % 3, random);
    const FamilyLanes lanes = lanes_of(family);
    ASSERT_EQ(lanes.rows.size(), family.size());
    EXPECT_EQ(edges_seen(lanes), edges_of(family)) << seed;
    for (const FamilyRow& row : lanes.rows) {
      EXPECT_FALSE(contains(row.passing, row.lane)) << "a line runs through a dot that is not its end";
      EXPECT_LT(row.lane, lanes.lanes);
      for (const std::size_t lane : row.passing) EXPECT_LT(lane, lanes.lanes);
    }
  }
}

TEST(FamilyLanes, StrangeFamilies) {
  EXPECT_TRUE(lanes_of({}).rows.empty());
  // A parent that is missing, one that comes later, a trial that is its own parent, and one that is both parents.
  const std::vector<PageAncestor> family{{.number = 1, .parents = {99, 2}}, {.number = 2, .parents = {2, 1, 1}}};
  EXPECT_EQ(edges_seen(lanes_of(family)), (std::set<std::pair<std::size_t, std::size_t>>{{0, 1}}));
}

TEST(FamilyPicture, PiecesAreStackedWithoutGaps) {
  std::mt19937 random(5);
  const std::vector<PageAncestor> family = sample_family(30, 2, random);
  for (const double width : {360.0, 1000.0}) {
    const XmlElement whole = read_xml(family_pictures(family, {.width = width}).at(0));
    double height = 0;
    std::size_t dots = 0;
    for (const std::string& piece : family_pictures(family, {.width = width, .rows_per_piece = 8})) {
      const XmlElement svg = read_xml(piece);
      EXPECT_EQ(svg.number("height"), std::round(svg.number("height")));
      EXPECT_EQ(svg["viewBox"],
                "0 " + std::to_string(static_cast<int>(height)) + " " + svg["width"] + " " + svg["height"]);
      height += svg.number("height");
      dots += svg.all("circle").size();
    }
    EXPECT_EQ(height, whole.number("height"));
    EXPECT_EQ(dots, family.size());
    EXPECT_EQ(whole.all("circle").size(), family.size());
  }
}

TEST(FamilyPicture, TextStaysInsideAndIsWhole) {
  PageAncestor winner{.number = 12, .score = 0.91234, .origin = "mutation"};
  for (int i = 0; i < 9; ++i) winner.expression += "sum_n(" + std::string(i % 3 == 0 ? "swish(x)," : "x,");
  winner.story = {"replaced relu by swish"};
  for (const double width : {360.0, 1000.0}) {
    const XmlElement svg = read_xml(family_pictures({winner}, {.width = width}).at(0));
    std::string expression, story;
    for (const XmlElement* text : svg.all("text")) {
      EXPECT_LT(text->number("y"), svg.number("height"));
      const auto it = text->attributes.find("class");
      if (it != text->attributes.end() && it->second == "expression") expression += text->text;
      if (it != text->attributes.end() && it->second == "story") story += text->text;
    }
    EXPECT_EQ(expression, winner.expression);
    EXPECT_EQ(story, "mutation: replaced relu by swish");
  }
}

}  // namespace
}  // namespace actforge
