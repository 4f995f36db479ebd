#include "actforge/report/page/function_cards.h"

#include <cmath>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/svg.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

// "accuracy 0.913, trial 12"
std::string score_text(const StudyPage& page, const PageFunction& function) {
  std::string text;
  for (std::size_t i = 0; i < function.scores.size(); ++i) {
    const std::string name = i < page.objectives.size() ? page.objectives[i].name : "score";
    text += (text.empty() ? "" : ", ") + name + " " + typeset(short_text(function.scores[i], 5));
    if (i == 0 && std::isfinite(function.runs.low)) {
      text +=
          " (" + typeset(short_text(function.runs.low, 4)) + " to " + typeset(short_text(function.runs.high, 4)) + ")";
    }
  }
  if (function.runs.count > 1) text += ", " + std::to_string(function.runs.count) + " runs";
  if (function.runs.failed > 0) text += ", " + std::to_string(function.runs.failed) + " failed";
  if (function.trial >= 0) text += (text.empty() ? "trial " : ", trial ") + std::to_string(function.trial);
  return text;
}

// Buttons copy the text of the details, which also work without scripts.
std::string exports_html(const PageFunction& function, std::size_t index) {
  if (function.exports.empty()) return {};
  std::string buttons, details;
  for (std::size_t i = 0; i < function.exports.size(); ++i) {
    const auto& [name, code] = function.exports[i];
    const std::string id = "export-" + std::to_string(index) + "-" + std::to_string(i);
    buttons += "<button type=\"button\" data-copy=\"" + id + "\" title=\"copy as " + xml_text(name) + "\">" +
               xml_text(name) + "</button>";
    details += "<h4>" + xml_text(name) + "</h4><pre tabindex=\"0\" id=\"" + id + "\">\n" + xml_lines(code) + "</pre>\n";
  }
  return "<div class=\"buttons needs-script\" role=\"group\" aria-label=\"Copy as\">" + buttons +
         "</div><details><summary>code</summary>" + details + "</details>";
}

std::string card_html(const StudyPage& page, std::size_t index) {
  const PageFunction& function = page.functions[index];
  std::string html = "<figure>" + svg_element(function_chart(function)) + "<figcaption><p class=\"name\">" +
                     std::to_string(index + 1) + ". <code>" + breakable_html(function.expression) + "</code></p>";
  if (!function.infix.empty() && function.infix != function.expression) {
    html += "<p class=\"infix\"><code>" + breakable_html(function.infix) + "</code></p>";
  }
  const std::string scores = score_text(page, function);
  if (!scores.empty()) html += "<p class=\"score\">" + xml_text(scores) + "</p>";
  return html + "</figcaption>" + exports_html(function, index) + "</figure>\n";
}

}  // namespace

void add_functions(HtmlPage& html, const StudyPage& page) {
  if (page.functions.empty()) return;
  html.add_heading("The best functions", "functions");
  html.add_paragraph(
      "Solid: the function; dashed: its derivative. Learnable parameters are at their initial values. The buttons copy "
      "the function as code.");
  html.add_html("<div class=\"cards\">");
  for (std::size_t i = 0; i < page.functions.size(); ++i) html.add_html(card_html(page, i));
  html.add_html("</div>\n");
}

}  // namespace actforge
