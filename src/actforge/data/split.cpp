#include "actforge/data/split.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/data/shuffle.h"

namespace actforge {
namespace {

// The images of each class in random order, and the classes in the order in which they get one image more.
struct Pools {
  std::vector<std::vector<std::uint32_t>> images;
  std::vector<std::uint32_t> order;
};

// Of the images from `begin` on.
Pools make_pools(std::span<const int> labels, int classes, std::uint64_t seed, std::size_t begin = 0) {
  Pools pools{.images = std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(std::max(classes, 0))),
              .order = std::vector<std::uint32_t>(static_cast<std::size_t>(std::max(classes, 0)))};
  for (auto i = static_cast<std::uint32_t>(begin); i < labels.size(); ++i) {
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

// Takes `count` images from the ends of the pools, of each the same part to within one image. With k images of a class
// of n, the next of that class comes when (k + 1/2) / n of all are taken: more images are the same ones and others.
std::vector<std::uint32_t> take_in_proportion(Pools& pools, std::size_t count, const std::string& what) {
  struct Place {
    double when;
    std::size_t turn, label;
  };
  std::vector<Place> places;
  for (std::size_t turn = 0; turn < pools.order.size(); ++turn) {
    const std::size_t label = pools.order[turn], size = pools.images[label].size();
    for (std::size_t k = 0; k < size; ++k) {
      places.push_back({(static_cast<double>(k) + 0.5) / static_cast<double>(size), turn, label});
    }
  }
  if (count > places.size()) {
    throw Error(ErrorCode::kBadInput, "not enough images for " + what + " of " + std::to_string(count) +
                                          "; there are " + std::to_string(places.size()));
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::pair(a.when, a.turn) < std::pair(b.when, b.turn);
  });
  std::vector<std::uint32_t> taken;
  for (std::size_t i = 0; i < count; ++i) {
    auto& images = pools.images[places[i].label];
    taken.push_back(images.back());
    images.pop_back();
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace

Split balanced_split(std::span<const int> labels, int classes, const SplitOptions& options) {
  if (options.held_out > labels.size()) throw Error(ErrorCode::kBadInput, "more images are held out than there are");
  const std::size_t own = labels.size() - options.held_out;
  const auto take = options.in_proportion ? take_in_proportion : take_evenly;
  Pools pools = make_pools(labels.first(own), classes, options.seed);
  Split split;
  if (options.held_out > 0) {
    Pools held_out = make_pools(labels, classes, options.seed, own);
    split.validation = take(held_out, options.validation, "a validation set");
  } else {
    split.validation = take(pools, options.validation, "a validation set");
  }
  if (options.subset) {
    split.train = take(pools, *options.subset, "a training set");
    return split;
  }
  for (const auto& images : pools.images) split.train.insert(split.train.end(), images.begin(), images.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

}  // namespace actforge
