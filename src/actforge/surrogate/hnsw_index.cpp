#include "actforge/surrogate/hnsw_index.h"

#define NO_MANUAL_VECTORIZATION  // hnswlib's own kernels, chosen when compiling; ours are chosen when running
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/surrogate/distance_kernels.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/random_projection.h"

namespace actforge {
namespace {

// Links of a point, and how many candidates are kept while it is linked and while neighbours are searched: the values
// of hnswlib's own examples; recall on the outputs of activation functions is above 0.95 (bench/umap_bench.cpp).
constexpr std::size_t kLinks = 16;
constexpr std::size_t kBuildCandidates = 100;
constexpr std::size_t kSearchCandidates = 80;

// Sums that leave the range of a float are made again in double, as in distances.cpp: some activation functions reach
// 1e30.
struct Measure {
  PairSum sum;
  std::size_t width;
  bool manhattan;
};

double measured(const void* a, const void* b, const void* param) {
  const auto& measure = *static_cast<const Measure*>(param);
  const auto *x = static_cast<const float*>(a), *y = static_cast<const float*>(b);
  const float sum = measure.sum(x, y, measure.width);
  if (measure.manhattan || sum < 1e38F) return static_cast<double>(sum);
  const double length = distance({x, measure.width}, {y, measure.width}, Metric::kEuclidean);
  return length * length;
}

class Space : public hnswlib::SpaceInterface<double> {
 public:
  Space(Metric metric, std::size_t width)
      : measure_{metric == Metric::kManhattan ? absolute_differences() : squared_differences(), width,
                 metric == Metric::kManhattan} {}
  std::size_t get_data_size() override { return measure_.width * sizeof(float); }
  hnswlib::DISTFUNC<double> get_dist_func() override { return measured; }
  void* get_dist_func_param() override { return &measure_; }

 private:
  Measure measure_;
};

struct Candidate {
  float distance;
  std::uint32_t index;
};

}  // namespace

struct HnswIndex::State {
  PointsView points;
  NeighbourOptions options;
  RandomProjection projection;
  Space space;
  hnswlib::HierarchicalNSW<double> graph;

  State(PointsView given, const NeighbourOptions& how)
      : points(given),
        options(how),
        projection(make_projection(given.width, how)),
        space(how.metric, projection.to_width()),
        graph(&space, std::max<std::size_t>(1, given.count), kLinks, kBuildCandidates, how.run.seed) {
    graph.setEf(std::max(kSearchCandidates, 2 * how.size));
    insert(0);
  }

  static RandomProjection make_projection(std::size_t width, const NeighbourOptions& how) {
    const bool project = how.metric != Metric::kManhattan && width > kProjectedWidth;
    return {width, project ? kProjectedWidth : width, how.run.seed};
  }

  Points shown(PointsView rows) const { return projection.apply(rows, how_to_scale(), options.run.threads); }
  RandomProjection::Scale how_to_scale() const {
    return options.metric == Metric::kCosine ? RandomProjection::kUnitRows : RandomProjection::kAsIs;
  }

  // In strips, so that only one copy of all the points is ever there: the graph's.
  void insert(std::size_t first) {
    constexpr std::size_t kStrip = 4096;
    for (; first < points.count; first += kStrip) {
      options.run.show("neighbours", first, 2 * points.count);
      const Points rows = shown(points.rows(first, std::min(kStrip, points.count - first)));
      for (std::size_t i = 0; i < rows.count; ++i) {
        options.run.check();  // a strip takes seconds
        graph.addPoint(rows.row(i).data(), first + i);
      }
    }
  }

  float true_distance(std::span<const float> a, std::span<const float> b) const {
    if (options.metric == Metric::kManhattan) return absolute_differences()(a.data(), b.data(), a.size());
    if (options.metric == Metric::kEuclidean) {
      const float squares = squared_differences()(a.data(), b.data(), a.size());
      if (squares > 1e-28F && squares < 1e38F) return std::sqrt(squares);
    }
    return static_cast<float>(
        std::min(distance(a, b, options.metric), static_cast<double>(std::numeric_limits<float>::max())));
  }

  // `self`: the number of the point itself, which comes first; the number of points for a new one.
  void search(std::span<const float> row, std::span<const float> shown_row, std::size_t self, NeighbourLists& lists,
              std::size_t at) const {
    auto found = graph.searchKnn(shown_row.data(), std::max(kSearchCandidates, 2 * lists.size));
    std::vector<Candidate> candidates;
    for (; !found.empty(); found.pop()) {
      const auto index = static_cast<std::uint32_t>(found.top().second);
      if (index != self) candidates.push_back({true_distance(row, points.row(index)), index});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
    });
    std::size_t place = at * lists.size;
    const std::size_t end = place + lists.size;
    if (self < points.count && place < end) {
      lists.index[place] = static_cast<std::uint32_t>(self);
      lists.distance[place++] = 0;
    }
    // Never fewer than asked for, unless the graph fell apart: then the last one is repeated, which changes nothing.
    for (std::size_t i = 0; place < end; ++place, ++i) {
      if (candidates.empty()) {
        lists.index[place] = place == at * lists.size ? 0 : lists.index[place - 1];
        continue;
      }
      const Candidate& one = candidates[std::min(i, candidates.size() - 1)];
      lists.index[place] = one.index;
      lists.distance[place] = one.distance;
    }
  }

  NeighbourLists all_of(PointsView rows, bool are_points) const {
    NeighbourLists lists = {.count = rows.count, .size = std::min(options.size, points.count)};
    lists.index.resize(lists.count * lists.size);
    lists.distance.resize(lists.count * lists.size);
    constexpr std::size_t kStrip = 1024;
    std::atomic<std::size_t> next{0};
    const std::size_t threads = thread_count(options.run.threads);
    parallel_for(threads, threads, [&](std::size_t, std::size_t, std::size_t thread) {
      for (std::size_t first = kStrip * next++; first < rows.count; first = kStrip * next++) {
        if (thread == 0 && are_points) {
          options.run.show("neighbours", rows.count + first, 2 * rows.count);  // the second half of the work
        } else {
          options.run.check();
        }
        const PointsView strip = rows.rows(first, std::min(kStrip, rows.count - first));
        const Points shown_rows = projection.apply(strip, how_to_scale(), 1);
        for (std::size_t i = 0; i < strip.count; ++i) {
          search(strip.row(i), shown_rows.row(i), are_points ? first + i : points.count, lists, first + i);
        }
      }
    });
    return lists;
  }
};

HnswIndex::HnswIndex(PointsView points, const NeighbourOptions& options)
    : state_(std::make_unique<State>(points, options)) {}
HnswIndex::~HnswIndex() = default;
HnswIndex::HnswIndex(HnswIndex&&) noexcept = default;
HnswIndex& HnswIndex::operator=(HnswIndex&&) noexcept = default;

void HnswIndex::add(PointsView all) {
  check_same_width(all, state_->points);
  if (all.count < state_->points.count) throw Error(ErrorCode::kBadInput, "fewer points than are in the index");
  const std::size_t first = state_->points.count;
  state_->points = all;
  if (all.count > state_->graph.max_elements_) state_->graph.resizeIndex(std::max(all.count, first + first / 2));
  state_->insert(first);
}

NeighbourLists HnswIndex::among() const { return state_->all_of(state_->points, true); }

NeighbourLists HnswIndex::of(PointsView new_points) const {
  check_finite(new_points, "features of new points");
  check_same_width(new_points, state_->points);
  return state_->all_of(new_points, false);
}

}  // namespace actforge
