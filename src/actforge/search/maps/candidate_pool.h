#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/base/run_context.h"
#include "actforge/space/function_key.h"
#include "actforge/space/space.h"

namespace actforge {

struct PooledFunction {
  Expr expr = {};
  FunctionKey key = {};
};

// The functions of a space in a random order, no two equal, after some that are given; those that the space refuses are
// left out. It is the same order however far
// and in whatever steps one looks; what is not looked at is not made.
class CandidatePool {
 public:
  struct Options {
    std::vector<Expr> first = {};  // in the space or not; of equal ones the first
    Sameness sameness = Sameness::kOutputs;
    // The order does not depend on the number of threads. The step "functions" counts those that are told apart.
    RunContext run = {.threads = 0};
  };
  // `space` outlives the pool. Takes seconds for a space of a million functions: equal ones are told apart.
  CandidatePool(const Space& space, const Options& options);

  // Makes as many functions, or all there are, which size() tells.
  void reach(std::size_t count);
  std::size_t size() const { return functions_.size(); }
  // Whether it has ended because there are no more functions, not because the space refuses nearly all.
  bool is_exhausted() const { return is_exhausted_; }
  const PooledFunction& operator[](std::size_t place) const { return functions_[place]; }

  // Where the function with such a key is, or one with the same values, among those made so far.
  std::optional<std::size_t> find(const FunctionKey& key) const { return index_.find(key); }

 private:
  void add(Expr expr);
  // Whether the space does not refuse it.
  bool add_if_wanted(Expr expr);
  bool add_next();

  const Space& space_;
  Options options_;
  FunctionKeys keys_;
  Random random_;
  std::deque<PooledFunction> functions_;  // they stay where they are while others come
  FunctionIndex index_;
  // Of a space that can be gone through: its different functions, the first `drawn_` in the order of the pool.
  bool is_listed_ = false;
  std::vector<std::uint32_t> list_;
  std::size_t drawn_ = 0;
  bool ended_ = false, is_exhausted_ = false;
};

}  // namespace actforge
