#include "actforge/report/page/html_page.h"

#include "actforge/base/hash.h"
#include "actforge/report/page/html_style.h"
#include "actforge/report/svg/text.h"

namespace actforge {

std::string svg_element(std::string_view svg, std::string_view css_class) {
  const std::size_t begin = svg.find("<svg");
  std::string element(svg.substr(begin == std::string_view::npos ? 0 : begin));
  if (!css_class.empty() && element.starts_with("<svg")) element.insert(4, " class=\"" + xml_text(css_class) + "\"");
  return element;
}

std::string breakable_html(std::string_view expression) {
  std::string html;
  for (const char c : xml_text(expression)) {
    html += c;
    if (c == ',' || c == '(') html += "<wbr>";
  }
  return html;
}

HtmlPage::HtmlPage(std::string_view title) : title_(xml_text(title)) { html_ = "<h1>" + title_ + "</h1>\n"; }

void HtmlPage::add_heading(std::string_view text, std::string_view id) {
  if (id.empty()) {
    html_ += "<h2>" + xml_text(text) + "</h2>\n";
    return;
  }
  html_ += "<h2 id=\"" + xml_text(id) + "\">" + xml_text(text) + "</h2>\n";
  links_.push_back({xml_text(id), xml_text(text)});
}

void HtmlPage::add_subheading(std::string_view text) { html_ += "<h3>" + breakable_html(text) + "</h3>\n"; }

void HtmlPage::add_paragraph(std::string_view text) { html_ += "<p>" + xml_text(text) + "</p>\n"; }

void HtmlPage::add_list(const std::vector<std::string>& items) {
  html_ += "<ul>\n";
  for (const std::string& item : items) html_ += "<li>" + xml_text(item) + "</li>\n";
  html_ += "</ul>\n";
}

void HtmlPage::add_notes(const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  html_ += "<div class=\"notes\" role=\"note\">";
  for (const std::string& note : notes) html_ += "<p>" + xml_text(note) + "</p>";
  html_ += "</div>\n";
}

void HtmlPage::add_contents() { contents_at_ = html_.size(); }

void HtmlPage::add_picture(std::string_view svg, std::string_view caption, std::string_view narrow_svg) {
  html_ += "<figure>" + svg_element(svg, narrow_svg.empty() ? "" : "wide-only");
  if (!narrow_svg.empty()) html_ += svg_element(narrow_svg, "narrow");
  html_ += (caption.empty() ? "" : "<figcaption>" + xml_text(caption) + "</figcaption>") + "</figure>\n";
}

void HtmlPage::add_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  const auto is_number = [&](std::size_t column) { return titles[column].starts_with('#'); };
  const auto cell = [&](std::string_view tag, std::size_t column, std::string_view text) {
    html_ += "<" + std::string(tag) + (is_number(column) ? " class=\"n\">" : ">") + xml_text(text) + "</" +
             std::string(tag.substr(0, 2)) + ">";
  };
  html_ += "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
  for (std::size_t i = 0; i < titles.size(); ++i) {
    cell("th scope=\"col\"", i, std::string_view(titles[i]).substr(is_number(i) ? 1 : 0));
  }
  html_ += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    html_ += "<tr>";
    for (std::size_t i = 0; i < titles.size() && i < row.size(); ++i) cell("td", i, row[i]);
    html_ += "</tr>\n";
  }
  html_ += "</tbody></table></div>\n";
}

// A line break right after <pre> is no part of the text.
void HtmlPage::add_code(std::string_view text) { html_ += "<pre tabindex=\"0\">\n" + xml_lines(text) + "</pre>\n"; }

void HtmlPage::add_html(std::string_view html) { html_ += html; }

void HtmlPage::add_data(std::string_view id, std::string_view json) {
  html_ += "<script type=\"application/json\" id=\"" + xml_text(id) + "\">" + std::string(json) + "</script>\n";
}

void HtmlPage::add_script(std::string_view script) { scripts_.emplace_back(script); }

std::string HtmlPage::policy(const std::string& nonce) const {
  return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'" +
         (scripts_.empty() ? "" : "; script-src 'nonce-" + nonce + "'") + (may_fetch_ ? "; connect-src 'self'" : "");
}

std::string HtmlPage::text() const {
  // Only scripts that carry the nonce run. Untrusted text cannot carry it, because the nonce is a hash of that text
  // too.
  const std::string nonce = Hasher().add(title_).add(html_).finish().hex();
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      policy(nonce) +
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>" +
      title_ + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n" + std::string(html_style()) +
      "</style></head><body>\n";
  const std::size_t split = contents_at_ == std::string::npos ? html_.size() : contents_at_;
  page += html_.substr(0, split);
  if (split < html_.size() && links_.size() > 1) {
    page += "<nav aria-label=\"Contents\">";
    for (const Link& link : links_) page += "<a href=\"#" + link.id + "\">" + link.text + "</a>";
    page += "</nav>\n";
  }
  page += html_.substr(split);
  const std::string opening = "<script nonce=\"" + nonce + "\">\n";
  for (const std::string& script : scripts_) page.append(opening).append(script).append("</script>\n");
  return page + "</body></html>\n";
}

}  // namespace actforge
