#pragma once

#include <string>
#include <vector>

namespace actforge {

// A box with two lines of text.
struct PictureNode {
  std::string name = {};                 // first line
  std::string size = {};                 // at its right end
  std::string detail = {};               // second line
  std::string count = {};                // at its right end
  std::size_t family = 0;                // a place in GraphPicture::families
  std::vector<std::size_t> inputs = {};  // places of nodes before this one
};

struct GraphPicture {
  std::string title = {};
  std::string subtitle = {};
  std::vector<std::string> families = {};  // each has a colour of its own, up to ten
  std::vector<PictureNode> nodes = {};
};

inline constexpr std::size_t kMostPictureNodes = 5'000;
inline constexpr std::size_t kMostPictureEdges = 20'000;

// A document of its own, with a white background: chains of boxes downwards, what is parallel side by side, many rows
// folded into columns. Throws Error (kUsage) for more nodes or edges than that, or where an input is not before its
// user.
std::string to_svg(const GraphPicture& picture);

}  // namespace actforge
