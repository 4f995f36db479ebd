#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actforge/report/plots/line_plot.h"
#include "actforge/report/plots/map_chart.h"

namespace actforge {

// What a page about a study shows. Plain data: the caller knows stores and strategies, the page does not.
// All text is untrusted; the page escapes it.

// What a score means. Scores here are as people read them: a loss is positive, and less of it is better.
struct PageObjective {
  std::string name = {};  // "accuracy", "loss", "cost", "accuracy of resnet-mini on digits"
  bool less_is_better = false;
};

// How often a function was evaluated, and what its mean score is with 95% certainty.
struct PageRuns {
  std::size_t count = 1;
  std::size_t failed = 0;  // among them
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
};

// A function that was tried; the trials that repeat it are counted with it.
struct PageTrial {
  std::int64_t number = 0;
  std::string expression = {};
  std::string status = {};          // completed, stopped, failed, quarantined, running, queued
  std::vector<double> scores = {};  // one per objective, or none; means where there were repeats
  PageRuns runs = {};
  double seconds = 0;
  std::int64_t finish_order = -1;  // from 0 among those that have ended
  std::string origin = {};
  std::string reason = {};  // why it failed
};

// A function worth looking at: drawn, and ready to take along.
struct PageFunction {
  std::int64_t trial = -1;  // -1: no trial of the study
  std::string expression = {}, infix = {};
  std::vector<double> scores = {};
  PageRuns runs = {};
  Series value = {}, slope = {};  // the function and its derivative, parameters at their initial values
  // Button and what it copies: {"PyTorch", "class ..."}, {"LaTeX", "..."}
  std::vector<std::pair<std::string, std::string>> exports = {};
};

// One trial of the winner's family, the winner included; ordered by number, the winner last.
struct PageAncestor {
  std::int64_t number = 0;
  std::string expression = {};
  std::optional<double> score = {};
  std::string origin = {};
  std::vector<std::string> story = {};     // the mutation, in words
  std::vector<std::int64_t> parents = {};  // all of them in the list
};

// How one learned parameter of a function moved: over epochs (0 is before training) and layers. Where each channel or
// neuron has its own, `mean` is their average and `low` and `high` the smallest and largest. [layer][place in epochs].
struct PageParameter {
  std::string function = {}, parameter = {};
  std::vector<std::int64_t> epochs = {};  // those that are given; empty: 0, 1, 2, ...
  std::vector<std::string> layers = {};   // in the order of the network
  std::vector<std::vector<double>> mean = {}, low = {}, high = {};
};

// A table as it is to be shown. Columns whose title begins with '#' hold numbers.
struct PageTable {
  std::string title = {}, caption = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct StudyPage {
  std::string title = {};
  std::string verdict = {};                                       // the first sentence: what was found, if anything
  std::vector<std::string> notes = {};                            // "the study is unfinished: ..."; shown at the top
  std::vector<std::pair<std::string, std::string>> figures = {};  // {"trials", "60"}, {"best accuracy", "0.91"}
  std::vector<PageObjective> objectives = {};
  std::vector<PageTrial> trials = {};
  std::int64_t population = 0;  // how many recent trials the moving average is over; 0: no average
  std::string baseline = {};    // such as relu(x), with its score by the first objective; drawn as a line
  std::optional<double> baseline_score = {};
  std::vector<PageTable> tables = {};        // re-ranking, final tests, transfer
  std::vector<PageFunction> functions = {};  // the best, best first
  FunctionMapPicture map = {};               // without a title
  std::vector<PageAncestor> family = {};
  std::vector<PageParameter> parameters = {};
  std::string settings = {};                                       // TOML
  std::vector<std::pair<std::string, std::string>> versions = {};  // {"actforge", "0.1.0"}, {"made", "2026-..."}
  std::vector<std::string> events = {};
  bool live = false;  // served by `search watch`: the page asks for /revision and loads itself again when that changes
  std::string revision = {};  // what /revision says of this very page; empty: whatever it says first
};

// The whole page: one HTML file that needs nothing else.
std::string study_html(const StudyPage& page);

// The pictures of that page, each as an SVG document of its own: {"progress", "<svg ..."}.
std::vector<std::pair<std::string, std::string>> study_pictures(const StudyPage& page);

}  // namespace actforge
