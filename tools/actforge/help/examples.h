#pragma once

#include <span>
#include <string>
#include <string_view>

namespace actforge::tool {

// A line that shows what a command is for. Verbs whose notes begin with examples of their own need none.
struct Example {
  std::string_view path;  // of the command: "actforge fn show"
  std::string_view line;
};

// "Examples:" and the command's lines, or nothing.
std::string examples_of(std::string_view path);

}  // namespace actforge::tool
