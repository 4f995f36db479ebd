#include "actforge/search/maps/candidate_pool.h"

#include <utility>

#include "actforge/search/maps/space_functions.h"
#include "actforge/space/function_source.h"
#include "actforge/space/unique.h"

namespace actforge {
namespace {

// Larger spaces are sampled. Where functions have learnable parameters each is evaluated on its own, which takes a
// hundred times as long.
constexpr std::uint64_t kMostWithParameters = 20'000;
// So many draws in a row that all equal earlier ones: the space is used up, nearly for certain.
constexpr int kDraws = 1000;
// So many in a row that the space's requirements refuse: it may have more, but they are not found this way.
constexpr int kMostRefusals = 20'000;

}  // namespace

CandidatePool::CandidatePool(const Space& space, const Options& options)
    : space_(space), options_(options), keys_(options.sameness), random_(options.run.seed, 0, "pool") {
  for (const Expr& expr : options.first) add(expr);
  is_listed_ = space.total() <= (can_share(space) ? kMostEnumerated : kMostWithParameters);
  if (is_listed_) list_ = find_unique(space, {.fingerprint = kKeyFingerprint, .run = options.run}).representatives;
}

void CandidatePool::reach(std::size_t count) {
  // Once it has ended it stays so, however often somebody asks: samples drawn in vain might yet bring something new.
  while (functions_.size() < count && !ended_) {
    options_.run.check();
    ended_ = !add_next();
  }
}

// A function that equals an earlier one is passed over.
void CandidatePool::add(Expr expr) {
  FunctionKey key = keys_(expr);
  if (find(key)) return;
  index_.add(key, static_cast<std::uint32_t>(functions_.size()));
  functions_.push_back({.expr = std::move(expr), .key = std::move(key)});
}

bool CandidatePool::add_if_wanted(Expr expr) {
  if (!space_.refusal(expr).empty()) return false;
  add(std::move(expr));
  return true;
}

bool CandidatePool::add_next() {
  const std::size_t before = functions_.size();
  if (!is_listed_) {
    int known = 0, refused = 0;
    while (functions_.size() == before && known < kDraws && refused < kMostRefusals) {
      if (!add_if_wanted(space_.sample(random_))) {
        ++refused;
      } else if (functions_.size() == before) {
        ++known;
      }
    }
    is_exhausted_ = known == kDraws;
    return functions_.size() > before;
  }
  for (; drawn_ < list_.size() && functions_.size() == before; ++drawn_) {
    std::swap(list_[drawn_], list_[drawn_ + random_.below(list_.size() - drawn_)]);
    add_if_wanted(space_.at(list_[drawn_]));
  }
  is_exhausted_ = drawn_ == list_.size();
  return functions_.size() > before;
}

}  // namespace actforge
