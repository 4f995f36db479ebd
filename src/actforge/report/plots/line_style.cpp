#include "actforge/report/plots/line_style.h"

#include <array>

namespace actforge {
namespace {

struct Color {
  std::string_view svg;
  int terminal;
};

constexpr std::array<Color, 7> kColors{{{"#0072b2", 32},
                                        {"#d55e00", 202},
                                        {"#009e73", 36},
                                        {"#cc79a7", 175},
                                        {"#e69f00", 214},
                                        {"#56b4e9", 74},
                                        {"#333333", 244}}};

constexpr std::array<std::string_view, 5> kDashes{"", "9 4", "2.5 3.5", "10 3.5 2.5 3.5", "5 2.5"};
constexpr std::size_t kSolidCurves = 5;

}  // namespace

LineStyle line_style(std::size_t index, std::size_t count) {
  const Color& color = kColors[index % kColors.size()];
  return {color.svg, count > kSolidCurves ? kDashes[index % kDashes.size()] : "", color.terminal};
}

}  // namespace actforge
