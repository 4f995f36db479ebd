#include "actforge/report/page/trial_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "actforge/base/number_text.h"
#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

// Numbers of words, in the order in which they are first met.
class WordList {
 public:
  std::string number_of(const std::string& word) {
    if (word.empty()) return "null";
    const auto [it, is_new] = numbers_.emplace(word, words_.size());
    if (is_new) words_.push_back(word);
    return std::to_string(it->second);
  }

  std::string json() const {
    std::string text = "[";
    for (const std::string& word : words_) text += (text.size() > 1 ? "," : "") + json_text(word);
    return text + "]";
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> words_;
};

std::string number_json(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

struct Column {
  std::string title;
  std::string kind;        // number, text, or word: the number of one
  bool less_first = true;  // what the first click on its title puts first
  std::function<std::string(const PageTrial&)> cell;
};

std::vector<Column> columns_of(const StudyPage& page, WordList& words) {
  std::vector<Column> columns;
  columns.push_back({"trial", "number", true, [](const PageTrial& t) { return std::to_string(t.number); }});
  for (std::size_t i = 0; i < page.objectives.size(); ++i) {
    columns.push_back({page.objectives[i].name, "number", page.objectives[i].less_is_better, [i](const PageTrial& t) {
                         return i < t.scores.size() ? number_json(t.scores[i]) : std::string("null");
                       }});
  }
  if (std::any_of(page.trials.begin(), page.trials.end(), [](const PageTrial& t) { return t.runs.count > 1; })) {
    columns.push_back({"runs", "number", false, [](const PageTrial& t) { return std::to_string(t.runs.count); }});
    columns.push_back({"from", "number", false, [](const PageTrial& t) { return number_json(t.runs.low); }});
    columns.push_back({"to", "number", false, [](const PageTrial& t) { return number_json(t.runs.high); }});
  }
  columns.push_back({"expression", "text", true, [](const PageTrial& t) { return json_text(t.expression); }});
  columns.push_back({"status", "word", true, [&words](const PageTrial& t) { return words.number_of(t.status); }});
  columns.push_back({"seconds", "number", true, [](const PageTrial& t) {
                       return t.seconds > 0 && std::isfinite(t.seconds) ? short_text(t.seconds, 4)
                                                                        : std::string("null");
                     }});
  const auto any = [&page](const std::string PageTrial::*field) {
    return std::any_of(page.trials.begin(), page.trials.end(), [=](const PageTrial& t) { return !(t.*field).empty(); });
  };
  if (any(&PageTrial::origin)) {
    columns.push_back({"origin", "word", true, [&words](const PageTrial& t) { return words.number_of(t.origin); }});
  }
  if (any(&PageTrial::reason)) {
    columns.push_back({"reason", "word", true, [&words](const PageTrial& t) { return words.number_of(t.reason); }});
  }
  return columns;
}

}  // namespace

std::string trials_json(const StudyPage& page) {
  WordList words;
  const std::vector<Column> columns = columns_of(page, words);
  std::string rows;
  for (const PageTrial& trial : page.trials) {
    std::string row;
    for (const Column& column : columns) row += (row.empty() ? "" : ",") + column.cell(trial);
    rows += (rows.empty() ? "[" : ",\n[") + row + "]";
  }
  std::string titles;
  for (const Column& column : columns) {
    titles += (titles.empty() ? "" : ",") + ("{\"title\":" + json_text(column.title)) + ",\"kind\":\"" + column.kind +
              "\",\"less\":" + (column.less_first ? "true" : "false") + "}";
  }
  const bool has_objective = !page.objectives.empty();
  return "{\"columns\":[" + titles + "],\"sort\":" + (has_objective ? "1" : "0") + ",\"words\":" + words.json() +
         ",\"rows\":[" + rows + "]}";
}

std::string trial_table_html() {
  return R"html(<noscript><p>This table is drawn by a script, which does not run here.</p></noscript>
<div class="needs-script" id="all-trials">
<div class="tools"><input type="search" id="filter" placeholder="filter by any text"
 aria-label="Filter the trials" autocomplete="off" spellcheck="false"><select id="status" aria-label="Status"></select>
<span class="soft" id="count" role="status"></span></div>
<div class="scroll" tabindex="0" role="region" aria-label="All trials"><table id="trials-table">
<thead><tr></tr></thead><tbody></tbody></table></div>
<button type="button" id="more" hidden></button>
</div>
)html";
}

}  // namespace actforge
