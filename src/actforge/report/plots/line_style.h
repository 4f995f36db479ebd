#pragma once

#include <cstddef>
#include <string_view>

namespace actforge {

// Colours that people with any kind of colour vision tell apart (Okabe and Ito), without the yellow that white drowns.
struct LineStyle {
  std::string_view color;   // as in SVG
  std::string_view dashes;  // as in SVG; empty: solid
  int terminal_color = 0;   // the nearest of the 256 that is visible on black and on white
};

// Up to 5 curves are solid. With more, dashes differ too: 7 colours and 5 kinds of dashes give 35 styles.
LineStyle line_style(std::size_t index, std::size_t count);

}  // namespace actforge
