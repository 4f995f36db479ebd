#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// A self-contained page: it needs no other file, and its policy forbids the browser to fetch any or to run any
// script but the page's own. Text is escaped.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);

  // With an id, the heading is listed by `add_contents`.
  void add_heading(std::string_view text, std::string_view id = {});
  void add_subheading(std::string_view text);
  void add_paragraph(std::string_view text);
  void add_list(const std::vector<std::string>& items);
  // A highlighted box.
  void add_notes(const std::vector<std::string>& notes);
  // Here will be links to the headings with an id.
  void add_contents();
  // An SVG document, as it is; a second one, for narrow screens, takes its place there.
  void add_picture(std::string_view svg, std::string_view caption, std::string_view narrow_svg = {});
  // Columns whose title begins with '#' hold numbers, and are set to the right.
  void add_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);
  void add_code(std::string_view text);
  // What is HTML already; the caller has escaped it.
  void add_html(std::string_view html);

  // For scripts: JSON that `json_text` has made harmless.
  void add_data(std::string_view id, std::string_view json);
  void add_script(std::string_view script);
  // Lets scripts fetch from where the page came from.
  void allow_fetching() { may_fetch_ = true; }

  std::string text() const;

 private:
  struct Link {
    std::string id, text;
  };

  std::string policy(const std::string& nonce) const;

  std::string title_;
  std::string html_;
  std::size_t contents_at_ = std::string::npos;
  std::vector<Link> links_;
  std::vector<std::string> scripts_;
  bool may_fetch_ = false;
};

// Escaped, and with places after brackets and commas at which a long expression may be broken.
std::string breakable_html(std::string_view expression);

// The element of a picture alone: the declaration of a document has no place inside of another.
std::string svg_element(std::string_view svg, std::string_view css_class = {});

}  // namespace actforge
