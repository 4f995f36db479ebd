#include <algorithm>
#include <numeric>

#include "actforge/space/offspring.h"
#include "actforge/space/story.h"

namespace actforge {

Expr parameterise(const Space& space, const Tree& tree, Random& random, std::vector<std::string>& story) {
  if (space.parameters() == 0) return expr_of(tree);
  const std::uint64_t drawn = random.below(static_cast<std::uint64_t>(space.parameters()) + 1);
  std::vector<std::size_t> edges(nodes_of(tree).size());
  std::iota(edges.begin(), edges.end(), std::size_t{0});
  const std::size_t k = std::min<std::size_t>(drawn, edges.size());
  // The first k steps of Fisher and Yates's shuffle.
  for (std::size_t i = 0; i < k; ++i) std::swap(edges[i], edges[i + random.below(edges.size() - i)]);
  edges.resize(k);
  std::ranges::sort(edges);
  std::string line = "parameterise: k = " + std::to_string(drawn);
  if (k < drawn) line += ", but there are only " + std::to_string(k) + " edges";
  for (std::size_t i = 0; i < k; ++i) {
    line += (i == 0 ? "; " : ", ") + parameter_name(static_cast<std::uint32_t>(i)) + " on " + edge_text(tree, edges[i]);
  }
  story.push_back(line);
  return expr_of(tree, edges);
}

}  // namespace actforge
