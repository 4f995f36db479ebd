#pragma once

#include <string_view>

namespace actforge {

// report/assets/page.css, the style sheet of all pages: on screens light and dark, large and small, and on paper.
//
// Pictures are drawn for white paper. On dark screens they are inverted, which gives the background the colour of
// --paper; rotating all hues by half a turn keeps blue blue.
std::string_view html_style();

}  // namespace actforge
