#include <algorithm>
#include <numeric>

#include "actforge/base/parallel.h"
#include "actforge/base/random.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

constexpr std::size_t kTrees = 100;

// Written here, though dlib's forest can be set to scikit-learn's numbers: that would be two megabytes of headers for
// this file, and values of leaves in single precision.
struct Node {
  // A leaf has no children, and `threshold` is its value.
  std::size_t feature = 0;
  double threshold = 0;  // at most this goes left
  std::size_t left = 0, right = 0;
};

struct Split {
  std::size_t feature = 0;
  double threshold = 0;
  double gain = -1;
};

// CART (Breiman and others 1984) with squared error: nodes are split until all values, or all points, are the same.
class Tree {
 public:
  Tree(PointsView points, std::span<const double> values, Random random)
      : points_(points), values_(values), random_(random) {
    std::vector<std::size_t> sample(points.count);  // bootstrap
    for (std::size_t& index : sample) index = random_.below(points.count);
    grow(sample);
  }

  double predict(std::span<const float> point) const {
    std::size_t at = 0;
    while (nodes_[at].left != 0) {
      const Node& node = nodes_[at];
      at = static_cast<double>(point[node.feature]) <= node.threshold ? node.left : node.right;
    }
    return nodes_[at].threshold;
  }

 private:
  std::size_t grow(std::span<std::size_t> sample) {
    const std::size_t at = nodes_.size();
    nodes_.push_back({});
    const Split split = best_split(sample);
    if (split.gain <= 0) {
      double sum = 0;
      for (const std::size_t i : sample) sum += values_[i];
      nodes_[at].threshold = sum / static_cast<double>(sample.size());
      return at;
    }
    const auto middle = std::partition(sample.begin(), sample.end(), [&](std::size_t i) {
      return static_cast<double>(points_.row(i)[split.feature]) <= split.threshold;
    });
    const auto on_left = static_cast<std::size_t>(middle - sample.begin());
    const std::size_t left = grow(sample.first(on_left)), right = grow(sample.subspan(on_left));
    nodes_[at] = {.feature = split.feature, .threshold = split.threshold, .left = left, .right = right};
    return at;
  }

  // Features in random order, so that of equally good ones each is taken as often.
  Split best_split(std::span<std::size_t> sample) {
    Split best;
    const bool same =
        std::all_of(sample.begin(), sample.end(), [&](std::size_t i) { return values_[i] == values_[sample[0]]; });
    if (same) return best;
    std::vector<std::size_t> features(points_.width);
    std::iota(features.begin(), features.end(), std::size_t{0});
    for (std::size_t i = features.size(); i > 1; --i) std::swap(features[i - 1], features[random_.below(i)]);
    for (const std::size_t feature : features) {
      const Split split = best_threshold(sample, feature);
      if (split.gain > best.gain) best = split;
    }
    return best;
  }

  // Squared error falls by n_l n_r/n (mean_l - mean_r)^2.
  Split best_threshold(std::span<std::size_t> sample, std::size_t feature) const {
    const auto x = [&](std::size_t i) { return static_cast<double>(points_.row(i)[feature]); };
    std::sort(sample.begin(), sample.end(), [&](std::size_t a, std::size_t b) { return x(a) < x(b); });
    double right_sum = 0, left_sum = 0;
    for (const std::size_t i : sample) right_sum += values_[i];
    Split best;
    const auto n = static_cast<double>(sample.size());
    for (std::size_t k = 1; k < sample.size(); ++k) {
      left_sum += values_[sample[k - 1]];
      right_sum -= values_[sample[k - 1]];
      const double low = x(sample[k - 1]), high = x(sample[k]);
      if (low == high) continue;
      const auto left = static_cast<double>(k);
      const double apart = left_sum / left - right_sum / (n - left);
      const double gain = left * (n - left) / n * apart * apart;
      // A gain of zero still splits, as in scikit-learn: the parts may split further.
      if (std::max(gain, 1e-300) > best.gain) {
        best = {.feature = feature, .threshold = low / 2 + high / 2, .gain = std::max(gain, 1e-300)};
      }
    }
    return best;
  }

  PointsView points_;
  std::span<const double> values_;
  Random random_;
  std::vector<Node> nodes_;
};

class ForestRegressor : public Regressor {
 public:
  explicit ForestRegressor(const RunContext& run) : run_(run) {}

  void learn(PointsView points, std::span<const double> values, std::span<const double> /*runs*/) override {
    width_ = points.width;
    std::vector<std::unique_ptr<Tree>> trees(kTrees);
    parallel_for(thread_count(run_.threads), kTrees, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t t = begin; t < end; ++t) {
        run_.check();
        trees[t] = std::make_unique<Tree>(points, values, Random(run_.seed, t, "forest tree"));
      }
    });
    trees_ = std::move(trees);
  }

  std::vector<Belief> believe(PointsView points) const override {
    check_predicted(points, width_);
    std::vector<Belief> result(points.count);
    for (std::size_t i = 0; i < points.count; ++i) {
      double sum = 0;
      for (const auto& tree : trees_) sum += tree->predict(points.row(i));
      result[i].mean = sum / static_cast<double>(trees_.size());
    }
    return result;
  }

 private:
  RunContext run_;
  std::size_t width_ = 0;
  std::vector<std::unique_ptr<Tree>> trees_;
};

}  // namespace

RegressorRow forest_regressor() {
  return {.name = "forest",
          .summary = "a random forest: 100 trees, each from a sample of the points",
          .make = [](const RunContext& run) -> std::unique_ptr<Regressor> {
            return std::make_unique<ForestRegressor>(run);
          }};
}

}  // namespace actforge
