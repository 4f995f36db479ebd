#pragma once

#include <string>

#include "actforge/space/tree.h"

namespace actforge {

// Words for the stories of offspring.
std::string tree_text(const Tree& tree);
// "the edge from tanh(x) to add", "the output edge", "the edge from x to relu"
std::string edge_text(const Tree& tree, std::size_t edge);
// "node 2 of 5, add": counted in pre-order, operators alone.
std::string node_text(const Tree& tree, const Tree& node);

}  // namespace actforge
