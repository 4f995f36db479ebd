#include "actforge/report/page/study_page.h"

#include <algorithm>
#include <map>

#include "actforge/report/page/family_picture.h"
#include "actforge/report/page/function_cards.h"
#include "actforge/report/page/html_page.h"
#include "actforge/report/page/study_charts.h"
#include "actforge/report/page/study_curves.h"
#include "actforge/report/page/study_script.h"
#include "actforge/report/page/trial_table.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

// "57 completed, 2 failed, 1 running"
std::string status_counts(const StudyPage& page) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const char* known : {"completed", "stopped", "failed", "quarantined", "running", "queued"}) {
    counts.emplace_back(known, 0);
  }
  for (const PageTrial& trial : page.trials) {
    const auto it = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == trial.status; });
    if (it == counts.end()) {
      counts.emplace_back(trial.status, 1);
    } else {
      ++it->second;
    }
  }
  std::string text;
  for (const auto& [status, count] : counts) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + status;
  }
  return text;
}

// The caller decides; if it says nothing, a study with trials that have not ended is unfinished.
std::vector<std::string> notes_of(const StudyPage& page) {
  const std::size_t open = page.trials.size() - finished_trials(page).size();
  if (!page.notes.empty() || open == 0) return page.notes;
  return {"The study is unfinished: " + counted(open, "trial") + (open == 1 ? " has" : " have") + " not ended yet."};
}

void add_figures(HtmlPage& html, const StudyPage& page) {
  if (page.figures.empty()) return;
  html.add_html("<dl class=\"figures\">");
  for (const auto& [name, value] : page.figures) {
    html.add_html("<div><dt>" + xml_text(name) + "</dt><dd>" + xml_text(value) + "</dd></div>");
  }
  html.add_html("</dl>\n");
}

void add_tables(HtmlPage& html, const StudyPage& page) {
  for (std::size_t i = 0; i < page.tables.size(); ++i) {
    const PageTable& table = page.tables[i];
    html.add_heading(table.title, "table-" + std::to_string(i + 1));
    if (!table.caption.empty()) html.add_paragraph(table.caption);
    html.add_table(table.columns, table.rows);
  }
}

// Why nothing has a score, most frequent first.
void add_reasons(HtmlPage& html, const std::vector<const PageTrial*>& failed) {
  std::map<std::string, std::size_t> counts;
  for (const PageTrial* trial : failed) ++counts[trial->reason.empty() ? "(no reason given)" : trial->reason];
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::vector<std::string>> rows;
  for (const auto& [reason, count] : sorted) {
    if (rows.size() < 10) rows.push_back({std::to_string(count), reason});
  }
  html.add_table({"#trials", "reason"}, rows);
}

void add_progress(HtmlPage& html, const StudyPage& page) {
  html.add_heading("Progress", "progress");
  const std::vector<const PageTrial*> finished = finished_trials(page);
  if (page.trials.empty()) {
    html.add_paragraph("The study has no trials yet.");
  } else if (finished.empty()) {
    html.add_paragraph("No trial has ended yet: " + status_counts(page) + ".");
  } else if (scored_trials(page).empty()) {
    html.add_paragraph("None of the " + counted(finished.size(), "trial") +
                       " that ended has a score. They ended with:");
    add_reasons(html, finished);
  } else {
    html.add_picture(progress_chart(page),
                     "Each point is a function, in the order in which its trial ended; of those that were evaluated "
                     "again, it is the "
                     "mean. Of all of them: " +
                         status_counts(page) + ".",
                     progress_chart(page, kNarrowChart));
  }
}

void add_cost(HtmlPage& html, const StudyPage& page) {
  const std::string pareto = pareto_chart(page), cost = cost_chart(page, pareto.empty() ? kLoneChart : kHalfChart);
  if (cost.empty() && pareto.empty()) return;
  html.add_heading("Fitness and cost", "cost");
  html.add_html("<div class=\"pair\">");
  if (!cost.empty()) {
    html.add_picture(cost, "Each point is a trial. The bars count trials: above by score, at the right by time.",
                     cost_chart(page, kNarrowChart));
  }
  if (!pareto.empty()) {
    html.add_picture(pareto, "No trial beats those on the Pareto front by one objective without losing by the other.",
                     pareto_chart(page, kNarrowChart));
  }
  html.add_html("</div>\n");
}

void add_map(HtmlPage& html, const StudyPage& page) {
  const std::string map = map_chart(page.map, kLoneChart);
  if (map.empty()) return;
  html.add_heading("Map", "map");
  html.add_picture(map,
                   "Functions with similar outputs are close together. Grey points are functions of the space, drawn "
                   "at random.",
                   map_chart(page.map, kNarrowChart));
}

void add_family(HtmlPage& html, const StudyPage& page) {
  if (page.family.empty()) return;
  html.add_heading("Where the winner came from", "family");
  html.add_paragraph(page.family.size() == 1 ? "The winner has no ancestors."
                                             : counted(page.family.size() - 1, "ancestor") +
                                                   " of the winner, the oldest at the top; lines lead from parents to "
                                                   "children.");
  constexpr std::size_t kRowsPerPiece = 8;
  for (const bool is_wide : {true, false}) {
    html.add_html("<div class=\"tree " + std::string(is_wide ? "wide-only" : "narrow") +
                  "\" tabindex=\"0\" role=\"region\" aria-label=\"Family tree\">");
    const FamilyPictureOptions options{.width = is_wide ? kWideChart : kNarrowChart, .rows_per_piece = kRowsPerPiece};
    for (const std::string& piece : family_pictures(page.family, options)) html.add_html(svg_element(piece));
    html.add_html("</div>\n");
  }
}

void add_parameters(HtmlPage& html, const StudyPage& page) {
  if (page.parameters.empty()) return;
  html.add_heading("Learned parameters", "parameters");
  html.add_paragraph("How they moved while the network was trained. Colours go from the first layer to the last.");
  for (const PageParameter& parameter : page.parameters) {
    html.add_subheading(parameter.parameter + " of " + parameter.function);
    const std::string epochs = parameter_by_epoch(parameter);
    if (epochs.empty()) {
      html.add_paragraph("No values are known.");
      continue;
    }
    html.add_html("<div class=\"pair\">");
    html.add_picture(epochs, "", parameter_by_epoch(parameter, kNarrowChart));
    html.add_picture(parameter_by_layer(parameter), "", parameter_by_layer(parameter, kNarrowChart));
    html.add_html("</div>\n");
  }
}

void add_trials(HtmlPage& html, const StudyPage& page) {
  if (page.trials.empty()) return;
  html.add_heading("All trials", "trials");
  html.add_html(trial_table_html());
  html.add_data("trials-data", trials_json(page));
}

void add_background(HtmlPage& html, const StudyPage& page) {
  if (!page.settings.empty()) {
    html.add_heading("Settings", "settings");
    html.add_code(page.settings);
  }
  if (!page.versions.empty()) {
    html.add_heading("Versions", "versions");
    std::vector<std::vector<std::string>> rows;
    rows.reserve(page.versions.size());
    for (const auto& [name, version] : page.versions) rows.push_back({name, version});
    html.add_table({"what", "version"}, rows);
  }
  if (!page.events.empty()) {
    html.add_heading("Events", "events");
    html.add_list(page.events);
  }
}

void add_live(HtmlPage& html, const StudyPage& page) {
  if (!page.live) return;
  html.allow_fetching();
  html.add_html("<p class=\"hint\" id=\"ended\" role=\"status\" hidden>the study’s server has ended</p>\n");
  html.add_data("live-data", "{\"revision\":" + json_text(page.revision) + "}");
}

}  // namespace

std::string study_html(const StudyPage& page) {
  HtmlPage html(page.title);
  if (!page.verdict.empty()) html.add_html("<p class=\"verdict\">" + breakable_html(page.verdict) + "</p>\n");
  html.add_notes(notes_of(page));
  add_figures(html, page);
  html.add_contents();
  add_tables(html, page);
  add_progress(html, page);
  add_cost(html, page);
  add_functions(html, page);
  add_map(html, page);
  add_family(html, page);
  add_parameters(html, page);
  add_trials(html, page);
  add_background(html, page);
  add_live(html, page);
  html.add_script(study_script());
  return html.text();
}

std::vector<std::pair<std::string, std::string>> study_pictures(const StudyPage& page) {
  std::vector<std::pair<std::string, std::string>> pictures;
  const auto add = [&](const std::string& name, std::string svg) {
    if (!svg.empty()) pictures.emplace_back(name, std::move(svg));
  };
  add("progress", progress_chart(page));
  add("cost", cost_chart(page));
  add("pareto", pareto_chart(page));
  add("functions", functions_sheet(page.functions));
  add("map", map_chart(page.map));
  for (std::string& svg : family_pictures(page.family)) add("family", std::move(svg));
  for (std::size_t i = 0; i < page.parameters.size(); ++i) {
    const std::string name = "parameter-" + std::to_string(i + 1);
    add(name + "-by-epoch", parameter_by_epoch(page.parameters[i]));
    add(name + "-by-layer", parameter_by_layer(page.parameters[i]));
  }
  return pictures;
}

}  // namespace actforge
