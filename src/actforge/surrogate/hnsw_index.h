#pragma once

#include <memory>

#include "actforge/surrogate/neighbours.h"

namespace actforge {

// Nearest neighbours among hundreds of thousands of points: the navigable graphs of Malkov and Yashunin (2018), by
// hnswlib. Points are put in one after another by one thread, since the graph depends on the order in which they
// come; searching it is threaded. So the answer is the same on any number of threads.
//
// Rows of more than kProjectedWidth features are found by a random projection of that width (Johnson and
// Lindenstrauss: it keeps all distances to about one part in sqrt(2*kProjectedWidth)), and ranked by their true
// distances afterwards. It serves the Euclidean and cosine metrics; Manhattan distances have no such projection.
class HnswIndex {
 public:
  static constexpr std::size_t kProjectedWidth = 96;

  // Keeps the view, so the points must outlive the index. Features must be finite.
  HnswIndex(PointsView points, const NeighbourOptions& options);
  ~HnswIndex();
  HnswIndex(HnswIndex&&) noexcept;
  HnswIndex& operator=(HnswIndex&&) noexcept;

  // Puts in the points that `all` has beyond those already there, which must be its first ones.
  void add(PointsView all);

  NeighbourLists among() const;
  NeighbourLists of(PointsView new_points) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace actforge
