#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// A page that stands alone: no scripts, no other files. Text is escaped.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);

  void add_heading(std::string_view text);
  void add_paragraph(std::string_view text);
  void add_list(const std::vector<std::string>& items);
  // An SVG document, as it is.
  void add_picture(std::string_view svg, std::string_view caption);
  // Columns whose title begins with '#' hold numbers, and are set to the right.
  void add_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

  std::string text() const;

 private:
  std::string html_;
};

}  // namespace actforge
