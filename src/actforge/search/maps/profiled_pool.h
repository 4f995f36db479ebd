#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "actforge/search/maps/candidate_pool.h"
#include "actforge/search/maps/prepared_space.h"
#include "actforge/surrogate/block_process.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// What a function is compared by before it is trained, in two kinds of features, or three.
struct FunctionProfile {
  // arsinh f(z), at the same z for all functions, drawn from the standard normal distribution: what counts is the
  // function where its inputs are, and beyond ±1 its size in orders of magnitude. Empty: some output is not finite.
  std::vector<float> outputs = {};
  // By operator: its weight, the sum over the nodes where it stands of 2^(-depth/2), the root having depth 0. Functions
  // that share operators near the root are alike, for scores of x*u(x) and y*u(x) have to do with each other.
  std::vector<float> structure = {};
  // What a function is tried with, such as hyperparameters, as coordinates; equally many for all, or none.
  std::vector<float> further = {};
};

struct ProfileOptions {
  std::uint64_t inputs = 250;
  std::string normal_form = "none";  // in which functions are looked at
};

FunctionProfile profile_of(const Expr& function, const ProfileOptions& options = {});

// Functions of a space in a random order, some given ones first, with their profiles. What cannot be compared, because
// its outputs are not finite, and what equals an earlier function but for rounding, is left out.
class ProfiledPool : public PreparedSpace {
 public:
  struct Options {
    CandidatePool::Options pool = {};
    std::uint64_t size = 5000;  // random functions; 0: all of the space
    ProfileOptions profile = {};
  };
  // Its options have a run context: may take seconds, and ends with Error (kCancelled) when it is told to stop.
  ProfiledPool(const Space& space, const Options& options);

  std::size_t size() const { return kept_.size(); }
  const PooledFunction& function(std::size_t i) const { return pool_[kept_[i]]; }
  // The number of the function with such a key, or with the same values.
  std::optional<std::size_t> find(const FunctionKey& key) const;
  // Whether it has all functions of the space that can be compared.
  bool is_complete() const { return is_complete_; }

  FunctionProfile profile(std::size_t i) const;
  const ProfileOptions& profile_options() const { return options_.profile; }
  // From a profile to those of all functions of the pool: a row for each block.
  std::vector<std::vector<double>> distances_from(const FunctionProfile& profile) const;

 private:
  Options options_;
  CandidatePool pool_;
  std::vector<std::size_t> kept_;
  std::unordered_map<std::size_t, std::size_t> number_;  // by place in the pool
  bool is_complete_ = false;
  Points outputs_, structures_;
};

// Of each kind of features, the squared distance.
std::vector<double> squared_distances(const FunctionProfile& a, const FunctionProfile& b);
// Between all of some and all of others: a block for each kind of features.
BlockDistances profile_distances(std::span<const FunctionProfile> a, std::span<const FunctionProfile> b);

}  // namespace actforge
