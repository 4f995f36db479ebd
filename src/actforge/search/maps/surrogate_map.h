#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "actforge/search/maps/candidate_pool.h"
#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/search/maps/prepared_space.h"
#include "actforge/store/study_features.h"

namespace actforge {

struct SurrogateMapOptions {
  CandidatePool::Options pool = {};
  // Random functions in the first map; 0: all of the space.
  std::uint64_t size = 5000;
  bool by_outputs = true;
  bool by_spectra = false;
  OutputOptions outputs = {};
  MapOptions map = {};
  FeatureReader read_spectra = {};
};

// The map in which a surrogate predicts: some functions of a space, each with its place. What is in it follows from the
// pool's order and from the spectra there are alone, so that a worker that starts later has the same map.
//
// The map is made when all functions of the first `size` have been measured, and again when twice as many have been.
// What is measured in between gets a place in the map there is.
//
// Functions whose outputs are not finite, whose spectrum is not valid, or that equal an earlier one but for rounding,
// have no place.
//
// Guests are functions beside the pool that were tried nevertheless: somebody has put them in front, or another
// strategy chose them. They get places in the map there is, so that something is learned from them.
class SurrogateMap : public PreparedSpace {
 public:
  SurrogateMap(const Space& space, const SurrogateMapOptions& options);

  // Reads what spectra are new, and makes or completes the map: may take minutes. Where that is cancelled (each of
  // the options has a run context), the map is left half done, and not to be used any more.
  void update();
  bool is_ready() const { return ready_; }
  // A map twice as large, for somebody who has tried all of this one. Only without spectra, where nothing has to be
  // measured; false: there are no more functions.
  bool grow();

  // Nothing is done where the pool or the guests have it.
  void add_guest(const Expr& function, const FunctionKey& key);
  // The place of a function of the map or of a guest; empty: it has none, or none yet.
  std::span<const float> place_of(const FunctionKey& key) const;

  // Functions with a place, without guests.
  std::size_t size() const { return placed_.size(); }
  const PooledFunction& function(std::size_t i) const { return pool_[placed_[i]]; }
  // Numbers of these in the order of the pool, which does not depend on what was measured when.
  std::vector<std::size_t> in_order() const;
  PointsView places() const { return places_; }
  // The number of the function with such a key, or with the same values, if it has a place.
  std::optional<std::size_t> find(const FunctionKey& key) const;

  // Functions whose spectra are missing: those needed for the map, guests, later those for the next map.
  std::vector<const PooledFunction*> missing() const;
  std::size_t spectra_missing() const override { return ready_ ? 0 : missing().size(); }
  // Spectra beyond those that the first map needed.
  std::size_t later_spectra() const {
    return ready_ && spectra_read_ > first_spectra_ ? spectra_read_ - first_spectra_ : 0;
  }

 private:
  enum class State : std::uint8_t { kUnmeasured, kKnown, kPlaced, kWithoutPlace };

  std::size_t end_of(std::size_t size) const;
  std::size_t reach(std::size_t size);
  void leave_out(std::size_t begin);
  void read_spectra();
  bool is_complete(std::size_t end) const;
  void make_map(std::size_t end);
  void place_later();
  void place_guests();
  std::size_t base_size() const;
  Points places_in_map(const Points& outputs, const Points& spectra) const;
  FunctionFeatures features_of(const Points& outputs, const Points& spectra) const;
  Points outputs_of(std::span<const std::size_t> pooled) const;

  SurrogateMapOptions options_;
  CandidatePool pool_;
  std::int64_t seen_ = 0;                                // of the spectra
  std::unordered_map<std::string, StudyFeatures> news_;  // spectra of functions that were not looked at yet, by key
  std::vector<State> state_;                             // of the pool, as far as it was looked at
  std::unordered_map<std::size_t, std::vector<float>> spectra_;  // by place in the pool, of all that is no base
  std::size_t spectra_read_ = 0, first_spectra_ = 0;             // in all, and for the first map
  std::size_t needed_ = 0;                                       // of the pool so far
  std::size_t width_ = 0;                                        // of a spectrum

  struct Guest {
    PooledFunction function = {};
    State state = State::kUnmeasured;
    std::vector<float> spectrum = {}, place = {};
  };
  std::deque<Guest> guests_;  // they stay where they are while others come
  FunctionIndex guest_index_;

  bool ready_ = false;
  std::size_t size_ = 0;             // of the pool that the map is made of: its base, those without a place included
  std::vector<std::size_t> placed_;  // places in the pool, first of the base, then of what came later
  std::unordered_map<std::size_t, std::size_t> number_;  // by place in the pool
  Points base_outputs_, base_spectra_;
  Points places_;
};

}  // namespace actforge
