#pragma once

#include <functional>
#include <string>

namespace actforge {

// Draws an SVG document `scale` times its size, and writes the file whole or not at all. Nothing that the document may
// refer to is loaded. Throws Error: kFailed if it cannot be drawn, kStorage if the file cannot be written.
void write_png(const std::string& svg, const std::string& path, double scale = 2);

// Throws Error (kUsage) unless the name ends as save_picture() needs it: to be called before long work makes the
// picture.
void check_picture_name(const std::string& path);

// Writes .svg or .png, as the name ends (in upper or lower case); kUsage for any other ending, before anything is
// drawn.
void save_picture(const std::function<std::string()>& draw, const std::string& path, double png_scale = 2);

}  // namespace actforge
