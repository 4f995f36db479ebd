#include "actforge/data/split.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "actforge/base/error.h"
#include "actforge/data/shuffle.h"

namespace actforge {
namespace {

// The images of each class in random order, and the classes in the order in which they get one image more.
struct Pools {
  std::vector<std::vector<std::uint32_t>> images;
  std::vector<std::uint32_t> order;
};

Pools make_pools(std::span<const int> labels, int classes, std::uint64_t seed) {
  Pools pools{.images = std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(std::max(classes, 0))),
              .order = std::vector<std::uint32_t>(static_cast<std::size_t>(std::max(classes, 0)))};
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes) {
      throw Error(ErrorCode::kBadInput,
                  "label " + std::to_string(labels[i]) + " in a set of " + std::to_string(classes) + " classes");
    }
    pools.images[static_cast<std::size_t>(labels[i])].push_back(i);
  }
  std::iota(pools.order.begin(), pools.order.end(), 0u);
  Random random(seed, 0, "order of classes");
  shuffle(pools.order, random);
  for (std::size_t label = 0; label < pools.images.size(); ++label) {
    Random of_class(seed, label, "split");
    shuffle(pools.images[label], of_class);
  }
  return pools;
}

// The largest number of images that can be drawn evenly: as many of each class as the smallest has, and one more of
// each class in order until one has no more.
std::size_t largest_even(const Pools& pools) {
  std::size_t least = pools.images[0].size(), more = 0;
  for (const auto& images : pools.images) least = std::min(least, images.size());
  while (more < pools.order.size() && pools.images[pools.order[more]].size() > least) ++more;
  return least * pools.images.size() + more;
}

// Takes `count` images, equally many from the end of each pool.
std::vector<std::uint32_t> take_evenly(Pools& pools, std::size_t count, const std::string& what) {
  if (count == 0) return {};
  if (const std::size_t most = pools.images.empty() ? 0 : largest_even(pools); count > most) {
    throw Error(ErrorCode::kBadInput, "not enough images for " + what + " of " + std::to_string(count) +
                                          ", equally many of each class; the largest has " + std::to_string(most));
  }
  std::vector<std::uint32_t> taken;
  const std::size_t of_each = count / pools.order.size(), more = count % pools.order.size();
  for (std::size_t place = 0; place < pools.order.size(); ++place) {
    auto& images = pools.images[pools.order[place]];
    const auto first = images.end() - static_cast<std::ptrdiff_t>(of_each + (place < more ? 1 : 0));
    taken.insert(taken.end(), first, images.end());
    images.erase(first, images.end());
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace

Split balanced_split(std::span<const int> labels, int classes, const SplitOptions& options) {
  Pools pools = make_pools(labels, classes, options.seed);
  Split split;
  split.validation = take_evenly(pools, options.validation, "a validation set");
  if (options.subset) {
    split.train = take_evenly(pools, *options.subset, "a training set");
    return split;
  }
  for (const auto& images : pools.images) split.train.insert(split.train.end(), images.begin(), images.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

}  // namespace actforge
