#pragma once

#include <string>
#include <string_view>

namespace actforge {

// Colours that all pictures share. On a dark page they are inverted as a whole, white paper included.
inline constexpr std::string_view kInk = "#222222";
inline constexpr std::string_view kSoftInk = "#555555";
inline constexpr std::string_view kAxisColor = "#777777";
inline constexpr std::string_view kFrameColor = "#c4c4c4";
inline constexpr std::string_view kGridColor = "#e6e6e6";

// Behind text that stands on lines and points.
inline constexpr std::string_view kHalo =
    "stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

// A length in pixels, to a hundredth.
std::string px(double value);
// "12.5 7"
std::string point_text(double x, double y);
// " name=\"value\"", the value escaped.
std::string attribute(std::string_view name, std::string_view value);
// With minus signs that are as wide as the plus and the digits.
std::string typeset(std::string_view number);
std::string tooltip(std::string_view text);

// An SVG document, its elements back to front. Attributes are given as they are to be written; text is escaped.
class SvgPicture {
 public:
  struct Head {
    double width = 0;
    double height = 0;
    std::string title = {};
    std::string description = {};
    double top = 0;             // the y at which the picture begins
    bool text_matters = false;  // its words are worth reading out: more than an image with a name
  };
  explicit SvgPicture(const Head& head);

  void open_group(std::string_view attributes);
  void close_group();
  void line(double x1, double y1, double x2, double y2, std::string_view attributes = {});
  void path(std::string_view data, std::string_view attributes, std::string_view tip = {});
  void rect(const Box& box, std::string_view attributes, std::string_view tip = {});
  void circle(double x, double y, double radius, std::string_view attributes, std::string_view tip = {});
  void text(double x, double y, std::string_view content, std::string_view attributes, std::string_view tip = {});
  // Text of one line, cut to the room it has; then the whole of it becomes the tooltip.
  struct Fit {
    double room = 0;
    double size = 0;
  };
  void fitted(double x, double y, std::string_view content, Fit fit, std::string_view attributes);

  std::string finish() const { return svg_ + "</svg>\n"; }

 private:
  void end_element(std::string_view name, std::string_view tip);

  std::string svg_;
};

}  // namespace actforge
