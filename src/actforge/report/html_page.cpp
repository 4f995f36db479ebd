#include "actforge/report/html_page.h"

#include "actforge/report/text.h"

namespace actforge {
namespace {

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:1080px;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em}"
    "table{border-collapse:collapse;font-size:13px}th,td{padding:2px 12px 2px 0;text-align:left;white-space:nowrap}"
    "th{border-bottom:1px solid #777;position:sticky;top:0;background:#fff}td.n,th.n{text-align:right;"
    "font-variant-numeric:tabular-nums}tr:nth-child(even) td{background:#f7f7f7}"
    "figure{margin:1em 0}figcaption{color:#555;font-size:13px}svg{max-width:100%;height:auto}";

}  // namespace

HtmlPage::HtmlPage(std::string_view title) {
  const std::string name = xml_text(title);
  html_ = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" + name + "</title>\n<style>" +
          std::string(kStyle) + "</style></head><body>\n<h1>" + name + "</h1>\n";
}

void HtmlPage::add_heading(std::string_view text) { html_ += "<h2>" + xml_text(text) + "</h2>\n"; }

void HtmlPage::add_paragraph(std::string_view text) { html_ += "<p>" + xml_text(text) + "</p>\n"; }

void HtmlPage::add_list(const std::vector<std::string>& items) {
  html_ += "<ul>\n";
  for (const std::string& item : items) html_ += "<li>" + xml_text(item) + "</li>\n";
  html_ += "</ul>\n";
}

void HtmlPage::add_picture(std::string_view svg, std::string_view caption) {
  // The declaration of a document has no place inside of another.
  const std::size_t begin = svg.find("<svg");
  html_ += "<figure>" + std::string(svg.substr(begin == std::string_view::npos ? 0 : begin)) + "<figcaption>" +
           xml_text(caption) + "</figcaption></figure>\n";
}

void HtmlPage::add_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  const auto is_number = [&](std::size_t column) { return titles[column].starts_with('#'); };
  const auto cell = [&](std::string_view tag, std::size_t column, std::string_view text) {
    html_ += "<" + std::string(tag) + (is_number(column) ? " class=\"n\">" : ">") + xml_text(text) + "</" +
             std::string(tag) + ">";
  };
  html_ += "<table><thead><tr>";
  for (std::size_t i = 0; i < titles.size(); ++i) {
    cell("th", i, std::string_view(titles[i]).substr(is_number(i) ? 1 : 0));
  }
  html_ += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    html_ += "<tr>";
    for (std::size_t i = 0; i < titles.size() && i < row.size(); ++i) cell("td", i, row[i]);
    html_ += "</tr>\n";
  }
  html_ += "</tbody></table>\n";
}

std::string HtmlPage::text() const { return html_ + "</body></html>\n"; }

}  // namespace actforge
