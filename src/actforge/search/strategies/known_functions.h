#pragma once

#include <span>
#include <string_view>

namespace actforge {

// A function that people know, by the name they know it by.
struct KnownFunction {
  std::string_view name;
  std::string_view expression;
};

// What helps to find one's way on a map of functions: those that the dissertation's searches start from, and those that
// its Figure "UMAP embeddings" marks.
std::span<const KnownFunction> known_functions();

// Those that networks are built with, the most common first: what a new function has to beat.
std::span<const KnownFunction> common_functions();

}  // namespace actforge
