#include "actforge/report/page/study_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/page/study_curves.h"
#include "tests/report/sample_study.h"
#include "tests/report/xml_reader.h"

namespace actforge {
namespace {

using namespace actforge::testing;

const std::string kHostile = "</script><script>alert(1)</script>\"onmouseover='x' & <b> \xE2\x80\xA8 \\ ]]> <!--";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// What stands between two marks, the first time.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

std::string data_of(const std::string& page, const std::string& id) {
  return between(page, "<script type=\"application/json\" id=\"" + id + "\">", "</script>");
}

TEST(StudyPage, HasItsPartsInOrder) {
  const std::string page = study_html(unfinished_page());
  std::size_t last = 0;
  for (const std::string part :
       {"<h1>Study digits-cafe</h1>", "class=\"notes\"", "class=\"figures\"", "<nav", "id=\"table-1\"",
        "id=\"progress\"", "id=\"cost\"", "Pareto front", "id=\"functions\"", "id=\"map\"", "id=\"family\"",
        "id=\"parameters\"", "id=\"trials\"", "id=\"settings\"", "id=\"versions\"", "id=\"events\""}) {
    const std::size_t at = page.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    EXPECT_GT(at, last) << part;
    last = at;
  }
}

TEST(StudyPage, NeedsNothingElse) {
  for (const StudyPage& page : {normal_page(), empty_page()}) {
    const std::string html = study_html(page);
    EXPECT_FALSE(has(html, "src=")) << "something is loaded";
    EXPECT_FALSE(has(html, "@import"));
    EXPECT_FALSE(has(html, "url("));
    EXPECT_EQ(count(html, "http://"), count(html, "http://www.w3.org/2000/svg"));
    EXPECT_FALSE(has(html, "https://"));
  }
}

TEST(StudyPage, ItsPolicyAllowsNoMoreThanItNeeds) {
  const std::string still = study_html(normal_page());
  const std::string policy = between(still, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_TRUE(has(policy, "default-src 'none'"));
  EXPECT_FALSE(has(policy, "connect-src"));
  const std::string nonce = between(policy, "script-src 'nonce-", "'");
  EXPECT_EQ(nonce.size(), 32u);
  EXPECT_EQ(count(still, "<script nonce=\"" + nonce + "\">"), 1u);
  StudyPage live = normal_page();
  live.live = true;
  live.revision = "17 of 60";
  const std::string html = study_html(live);
  EXPECT_TRUE(has(between(html, "Content-Security-Policy\" content=\"", "\""), "connect-src 'self'"));
  EXPECT_EQ(nlohmann::json::parse(data_of(html, "live-data"))["revision"], "17 of 60");
  EXPECT_TRUE(has(html, "server has ended"));
  EXPECT_FALSE(has(still, "live-data\">"));
}

TEST(StudyPage, NoTextBecomesMarkup) {
  const std::string page = study_html(hostile_page(kHostile));
  const std::string tame = study_html(hostile_page("tame"));
  for (const std::string part :
       {"<script", "</script", "<b>", "<!--", " onmouseover=", "<svg", "<th", "<td", "<button"}) {
    EXPECT_EQ(count(page, part), count(tame, part)) << part;
  }
  EXPECT_FALSE(has(page, kHostile));
  EXPECT_FALSE(has(page, "\xE2\x80\xA8"));
}

TEST(StudyPage, PicturesHaveNoForeignMarkup) {
  for (const auto& [name, svg] : study_pictures(hostile_page(kHostile))) {
    const XmlElement picture = read_xml(svg);  // throws on what is not well formed
    EXPECT_TRUE(picture.all("script").empty()) << name;
    EXPECT_TRUE(picture.all("b").empty()) << name;
  }
}

TEST(StudyPage, PicturesStandAlone) {
  for (const StudyPage& page : {normal_page(), unfinished_page(), large_page()}) {
    const auto pictures = study_pictures(page);
    EXPECT_GE(pictures.size(), 6u);
    for (const auto& [name, svg] : pictures) {
      const XmlElement picture = read_xml(svg);
      EXPECT_EQ(picture["xmlns"], "http://www.w3.org/2000/svg");
      EXPECT_FALSE(picture["aria-label"].empty());
      EXPECT_FALSE(picture.only("title").text.empty());
      const XmlElement& paper = *picture.all("rect").at(0);
      EXPECT_EQ(paper["fill"], "#ffffff") << name;
      EXPECT_EQ(paper["width"], picture["width"]) << name;
      EXPECT_EQ(paper["height"], picture["height"]) << name;
      for (const XmlElement* path : picture.all("path")) {
        EXPECT_FALSE(has((*path)["d"], "nan") || has((*path)["d"], "inf")) << name;
      }
    }
  }
}

TEST(StudyPage, TrialsAreCompactJson) {
  const StudyPage page = unfinished_page();
  const nlohmann::json data = nlohmann::json::parse(data_of(study_html(page), "trials-data"));
  ASSERT_EQ(data["rows"].size(), page.trials.size());
  std::vector<std::string> titles;
  for (const auto& column : data["columns"]) titles.push_back(column["title"]);
  EXPECT_EQ(titles,
            (std::vector<std::string>{"trial", "loss", "cost", "expression", "status", "seconds", "origin", "reason"}));
  EXPECT_EQ(data["columns"][1]["less"], true);
  for (std::size_t i = 0; i < page.trials.size(); ++i) {
    const auto& row = data["rows"][i];
    const PageTrial& trial = page.trials[i];
    EXPECT_EQ(row[0], trial.number);
    for (std::size_t k = 0; k < 2; ++k) {
      if (k < trial.scores.size()) {
        EXPECT_EQ(row[1 + k].get<double>(), trial.scores[k]);
      } else {
        EXPECT_TRUE(row[1 + k].is_null());
      }
    }
    EXPECT_EQ(row[3], trial.expression);
    EXPECT_EQ(data["words"][row[4].get<std::size_t>()], trial.status);
    EXPECT_NEAR(row[5].get<double>(), trial.seconds, 1e-3 * trial.seconds);
    EXPECT_EQ(row[7].is_null() ? "" : data["words"][row[7].get<std::size_t>()].get<std::string>(), trial.reason);
  }
}

TEST(StudyPage, HostileJsonSurvivesUnchanged) {
  const std::string json = data_of(study_html(hostile_page("</script> & \"quoted\" \\u003c")), "trials-data");
  EXPECT_EQ(json.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(json)["rows"][0][2], "</script> & \"quoted\" \\u003c");
}

TEST(StudyPage, TenThousandTrialsAreLight) {
  const StudyPage page = large_page();
  const auto begin = std::chrono::steady_clock::now();
  const std::string html = study_html(page);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(html.size(), 5u << 20);
  EXPECT_LT(taken.count(), 10);  // also under sanitizers
  for (const auto& [name, svg] : study_pictures(page)) EXPECT_LT(count(svg, "<"), 1000u) << name;
}

TEST(StudyPage, ExportsAreCopiedAsTheyAre) {
  const StudyPage page = normal_page();
  const std::string html = study_html(page);
  EXPECT_EQ(count(html, "data-copy="), 5 * page.functions.size());
  const std::string code = between(html, "id=\"export-0-0\">\n", "</pre>");
  EXPECT_TRUE(has(code, "import torch\n\n\nclass Found"));
  EXPECT_TRUE(has(code, "if x &lt; 1 &amp; x &gt; 2"));
  EXPECT_TRUE(has(between(html, "id=\"export-0-2\">\n", "</pre>"), "\n\t# with a tab"));
}

TEST(StudyPage, EmptyFailedAndUnfinishedStudiesSaySo) {
  const std::string empty = study_html(empty_page());
  EXPECT_TRUE(has(empty, "The study has no trials yet."));
  EXPECT_FALSE(has(empty, "<svg"));
  EXPECT_TRUE(study_pictures(empty_page()).empty());

  const std::string failed = study_html(failed_page());
  EXPECT_TRUE(has(failed, "None of the 12 trials that ended has a score."));
  EXPECT_TRUE(has(failed, "<td class=\"n\">8</td><td>the worker was killed</td>"));
  EXPECT_FALSE(has(failed, "<svg"));

  EXPECT_TRUE(has(study_html(unfinished_page()), "The study is unfinished: 148 of 200 trials have ended."));
  StudyPage silent = unfinished_page();
  silent.notes.clear();
  EXPECT_TRUE(has(study_html(silent), "The study is unfinished: 4 trials have not ended yet."));
  StudyPage waiting = empty_page();
  waiting.trials = {{.number = 0, .status = "running"}, {.number = 1, .status = "queued"}};
  EXPECT_TRUE(has(study_html(waiting), "No trial has ended yet: 1 running, 1 queued."));
}

TEST(StudyPage, StrangeNumbersDoNoHarm) {
  StudyPage page{
      .title = "strange", .objectives = {{.name = "loss", .less_is_better = true}, {.name = "b"}}, .population = 3};
  page.baseline_score = 5;
  for (const double score : {5.0, 5.0, -1.7e308, 1.7e308, 1e-300, kInf, kNan}) {
    const auto number = static_cast<std::int64_t>(page.trials.size());
    page.trials.push_back({.number = number, .scores = {score, -score}, .seconds = score, .finish_order = number});
  }
  page.functions = {{.expression = "nothing", .value = {"", {0, 1}, {kNan, kInf}}}, {.expression = "no points"}};
  page.family = {{.number = 3}};
  page.parameters = {{.parameter = "alpha"},
                     {.parameter = "beta", .layers = {"one", "two"}, .mean = {{1, kNan, 2}, {}}},
                     {.parameter = "gamma", .layers = {"one"}, .mean = {{kNan}}}};
  for (std::size_t kept = 1; kept <= 7; ++kept) {
    StudyPage some = page;
    some.trials.resize(kept);
    EXPECT_FALSE(study_html(some).empty());
    for (const auto& [name, svg] : study_pictures(some)) {
      EXPECT_FALSE(has(svg, "\"nan") || has(svg, "\"inf") || has(svg, " nan")) << name << " with " << kept;
      EXPECT_NO_THROW(read_xml(svg)) << name;
    }
  }
}

// ---- single charts

// What a height in the picture means, told by two numbers of the y axis.
struct Scale {
  double y0 = 0, value0 = 0, slope = 0;

  explicit Scale(const XmlElement& svg) {
    const auto ticks = svg.of_class("y-ticks")->all("text");
    const auto value = [](const XmlElement* tick) { return std::stod(tick->text); };
    y0 = ticks.front()->number("y");
    value0 = value(ticks.front());
    slope = (value(ticks.back()) - value0) / (ticks.back()->number("y") - y0);
    y0 -= 0.36 * 11.5;  // numbers stand a little below what they name
  }
  double at(double y) const { return value0 + slope * (y - y0); }
};

double last_number(const std::string& data) {
  return std::stod(data.substr(data.find_last_not_of("0123456789.-") + 1));
}

TEST(ProgressChart, ShowsEveryTrialTheBestAndTheAverage) {
  for (const StudyPage& page : {normal_page(), unfinished_page()}) {
    const XmlElement svg = read_xml(progress_chart(page));
    const Scale scale(svg);
    std::vector<double> scores;
    for (const PageTrial* trial : scored_trials(page)) scores.push_back(trial->scores[0]);
    const auto beyond = svg.of_class("beyond");
    EXPECT_EQ(count((*svg.of_class("dots"))["d"], "M") + (beyond ? count((*beyond)["d"], "M") : 0), scores.size());
    EXPECT_EQ(count((*svg.of_class("failed"))["d"], "M"), finished_trials(page).size() - scores.size());

    const std::string best = (*svg.of_class("best"))["d"];
    const double found = scale.at(std::stod(best.substr(best.rfind('V') + 1)));
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    EXPECT_NEAR(found, page.objectives[0].less_is_better ? *low : *high, 2e-3);
    EXPECT_NEAR(scale.at(svg.of_class("winner")->number("cy")), found, 1e-3);

    double sum = 0;
    for (std::size_t i = 0; i < 20; ++i) sum += scores[scores.size() - 1 - i];
    EXPECT_NEAR(scale.at(last_number((*svg.of_class("average"))["d"])), sum / 20, 2e-3);
    EXPECT_NEAR(scale.at(last_number((*svg.of_class("baseline"))["d"])), *page.baseline_score, 2e-3);
  }
}

TEST(ProgressChart, OneHugeLossDoesNotFlattenTheRest) {
  const XmlElement svg = read_xml(progress_chart(unfinished_page()));  // one of its losses is a million
  EXPECT_LT(std::stod(svg.of_class("y-ticks")->all("text").back()->text), 2);
  EXPECT_EQ(count((*svg.of_class("beyond"))["d"], "M"), 1u);
}

TEST(CostChart, HasAPointPerTrialAndTwoHistograms) {
  const StudyPage page = normal_page();
  for (const double width : {kNarrowChart, kHalfChart}) {
    const XmlElement svg = read_xml(cost_chart(page, width));
    EXPECT_EQ(count((*svg.of_class("dots"))["d"], "M"), scored_trials(page).size());
    std::size_t histograms = 0;
    for (const XmlElement* path : svg.all("path")) {
      const auto it = path->attributes.find("class");
      histograms += it != path->attributes.end() && it->second == "bars";
    }
    EXPECT_EQ(histograms, 2u);
  }
}

TEST(FunctionChart, GapsAreGaps) {
  const PageFunction function = sample_functions()[3];  // not a number at 0
  const XmlElement svg = read_xml(function_chart(function));
  EXPECT_EQ(count((*svg.of_class("value"))["d"], "M"), 2u);
  EXPECT_FALSE((*svg.of_class("slope"))["stroke-dasharray"].empty());
  const XmlElement none = read_xml(function_chart({.expression = "nothing", .value = {"", {0, 1}, {kNan, kInf}}}));
  EXPECT_EQ(none.of_class("value"), nullptr);
}

TEST(ParameterChart, HasALineAndTwoDotsPerLayer) {
  std::mt19937 random(1);
  for (const std::size_t layers : {1, 3, 40}) {
    const PageParameter parameter = sample_parameter("alpha", layers, 12, random);
    const auto of_class = [](const XmlElement& svg, const std::string& name, const std::string& wanted) {
      std::size_t found = 0;
      for (const XmlElement* element : svg.all(name)) {
        const auto it = element->attributes.find("class");
        found += it != element->attributes.end() && it->second == wanted;
      }
      return found;
    };
    EXPECT_EQ(of_class(read_xml(parameter_by_epoch(parameter)), "path", "layer"), layers);
    const XmlElement svg = read_xml(parameter_by_layer(parameter));
    EXPECT_EQ(of_class(svg, "circle", "before"), layers);
    EXPECT_EQ(of_class(svg, "circle", "after"), layers);
    EXPECT_GE(of_class(svg, "path", "range"), layers);
  }
}

TEST(ParameterChart, EpochsMayBeLeftOut) {
  PageParameter parameter = {.function = "f", .parameter = "alpha", .layers = {"one"}, .mean = {{1, 2, 3}}};
  const std::string every = parameter_by_epoch(parameter);
  parameter.epochs = {0, 1, 2};
  EXPECT_EQ(parameter_by_epoch(parameter), every);
  parameter.epochs = {0, 50, 200};
  EXPECT_NE(parameter_by_epoch(parameter), every);
  EXPECT_NE(parameter_by_layer(parameter).find("after 200 epochs"), std::string::npos);
}

}  // namespace
}  // namespace actforge
