#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace actforge {

// A kind of file that people have of a network, and that holds no graph, or one that is not read here.
struct ForeignFile {
  std::string_view kind;  // "a checkpoint of PyTorch"
  std::string recipe;     // lines of Python that make a file of it that is read here
};

// What the file at `path` is, by its content: its name says little. Nothing where it is none of these.
std::optional<ForeignFile> recognise_foreign(const std::string& path);

// Throws Error (kBadInput) with the recipe where it is one.
void refuse_foreign(const std::string& path);

}  // namespace actforge
