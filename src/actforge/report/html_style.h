#pragma once

#include <string_view>

namespace actforge {

// The style sheet of all pages: on screens light and dark, large and small, and on paper.
std::string_view html_style();

}  // namespace actforge
