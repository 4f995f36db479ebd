#include "actforge/search/maps/surrogate_map.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "actforge/search/maps/comparable.h"

namespace actforge {
namespace {

// Half of what there could be, so that twice as much can be.
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max() / 4;

Points rows_of(std::span<const std::vector<float>> rows) {
  Points points(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), points.row(i).begin());
  return points;
}

}  // namespace

SurrogateMap::SurrogateMap(const Space& space, const SurrogateMapOptions& options)
    : options_(options),
      pool_(space, options.pool),
      size_(options.size == 0 ? kAll : std::min<std::size_t>(options.size, kAll)) {}

void SurrogateMap::update() {
  if (options_.by_spectra) read_spectra();
  if (!ready_) {
    const std::size_t end = reach(size_);
    if (!is_complete(end)) return;
    first_spectra_ = needed_;
    make_map(end);
  }
  // The next map can only be complete where its spectra have been measured, not where nothing has to be.
  while (options_.by_spectra) {
    const std::size_t before = end_of(size_), end = reach(2 * size_);
    if (end == before || !is_complete(end)) break;
    size_ *= 2;
    make_map(end);
  }
  place_later();
  place_guests();
}

bool SurrogateMap::grow() {
  if (options_.by_spectra || !ready_) return false;
  const std::size_t before = end_of(size_), end = reach(2 * size_);
  if (end == before) return false;
  size_ *= 2;
  make_map(end);
  place_guests();
  return true;
}

std::optional<std::size_t> SurrogateMap::find(const FunctionKey& key) const {
  const std::optional<std::size_t> pooled = pool_.find(key);
  if (!pooled) return std::nullopt;
  const auto found = number_.find(*pooled);
  return found == number_.end() ? std::nullopt : std::optional(found->second);
}

void SurrogateMap::add_guest(const Expr& function, const FunctionKey& key) {
  if (pool_.find(key) || guest_index_.find(key)) return;
  guest_index_.add(key, static_cast<std::uint32_t>(guests_.size()));
  guests_.push_back({.function = {.expr = function, .key = key}});
  if (!options_.by_spectra) guests_.back().state = State::kKnown;
}

std::span<const float> SurrogateMap::place_of(const FunctionKey& key) const {
  if (const auto number = find(key)) return places_.row(*number);
  const auto guest = guest_index_.find(key);
  return guest ? std::span<const float>(guests_[*guest].place) : std::span<const float>();
}

std::vector<std::size_t> SurrogateMap::in_order() const {
  std::vector<std::size_t> numbers(placed_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::ranges::sort(numbers, [&](std::size_t a, std::size_t b) { return placed_[a] < placed_[b]; });
  return numbers;
}

std::vector<const PooledFunction*> SurrogateMap::missing() const {
  std::vector<const PooledFunction*> functions;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (state_[i] == State::kUnmeasured) functions.push_back(&pool_[i]);
    }
  };
  const std::size_t of_this_map = ready_ ? std::min(end_of(size_), state_.size()) : state_.size();
  add(0, of_this_map);
  for (const Guest& guest : guests_) {
    if (guest.state == State::kUnmeasured) functions.push_back(&guest.function);
  }
  add(of_this_map, state_.size());
  return functions;
}

// The functions given first, and so many others, or all there are.
std::size_t SurrogateMap::end_of(std::size_t size) const {
  return std::min(pool_.size(), options_.pool.first.size() + size);
}

std::size_t SurrogateMap::reach(std::size_t size) {
  pool_.reach(options_.pool.first.size() + size);
  const std::size_t end = end_of(size), begin = state_.size();
  if (begin >= end) return end;
  state_.resize(end, options_.by_spectra ? State::kUnmeasured : State::kKnown);
  leave_out(begin);
  needed_ += static_cast<std::size_t>(
      std::count(state_.begin() + static_cast<std::ptrdiff_t>(begin), state_.end(), State::kUnmeasured));
  if (options_.by_spectra) read_spectra();
  return end;
}

// From `begin` on: what cannot be compared, and what equals an earlier function but for rounding.
void SurrogateMap::leave_out(std::size_t begin) {
  std::vector<Expr> functions;
  functions.reserve(state_.size());
  for (std::size_t i = 0; i < state_.size(); ++i) functions.push_back(pool_[i].expr);
  const Points outputs = output_features(functions, options_.outputs);
  const std::vector<Comparable> answers = comparable_functions(functions, outputs, options_.outputs.run, begin);
  for (std::size_t i = begin; i < state_.size(); ++i) {
    const bool is_unknown = answers[i] == Comparable::kNotFinite && options_.by_outputs;
    if (is_unknown || answers[i] == Comparable::kTwin) state_[i] = State::kWithoutPlace;
  }
}

void SurrogateMap::read_spectra() {
  for (StudyFeatures& features : options_.read_spectra(seen_)) {
    ++spectra_read_;
    news_.insert_or_assign(features.key, std::move(features));
  }
  if (news_.empty()) return;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (state_[i] != State::kUnmeasured) continue;
    const auto found = news_.find(pool_[i].key.canonical);
    if (found == news_.end()) continue;
    std::vector<float>& values = found->second.values;
    if (found->second.valid && width_ == 0) width_ = values.size();
    const bool has_place = found->second.valid && values.size() == width_;  // a file may hold anything
    state_[i] = has_place ? State::kKnown : State::kWithoutPlace;
    if (has_place) spectra_[i] = std::move(values);
    news_.erase(found);
  }
  if (width_ == 0) return;
  for (Guest& guest : guests_) {
    const auto found = news_.find(guest.function.key.canonical);
    if (guest.state != State::kUnmeasured || found == news_.end()) continue;
    const bool has_place = found->second.valid && found->second.values.size() == width_;
    guest.state = has_place ? State::kKnown : State::kWithoutPlace;
    if (has_place) guest.spectrum = found->second.values;
  }
}

bool SurrogateMap::is_complete(std::size_t end) const {
  return std::none_of(state_.begin(), state_.begin() + static_cast<std::ptrdiff_t>(end),
                      [](State state) { return state == State::kUnmeasured; });
}

FunctionFeatures SurrogateMap::features_of(const Points& outputs, const Points& spectra) const {
  return {.outputs = options_.by_outputs ? PointsView(outputs) : PointsView(),
          .spectra = options_.by_spectra ? PointsView(spectra) : PointsView()};
}

Points SurrogateMap::outputs_of(std::span<const std::size_t> pooled) const {
  std::vector<Expr> functions;
  functions.reserve(pooled.size());
  for (const std::size_t i : pooled) functions.push_back(pool_[i].expr);
  return output_features(functions, options_.outputs);
}

void SurrogateMap::make_map(std::size_t end) {
  for (std::size_t i = 0; i < base_spectra_.count; ++i) {
    spectra_[placed_[i]].assign(base_spectra_.row(i).begin(), base_spectra_.row(i).end());
  }
  placed_.clear();
  number_.clear();
  std::vector<std::vector<float>> spectra;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (state_[i] == State::kPlaced) state_[i] = State::kKnown;
    if (i >= end || state_[i] != State::kKnown) continue;
    state_[i] = State::kPlaced;
    number_[i] = placed_.size();
    placed_.push_back(i);
    if (!options_.by_spectra) continue;
    spectra.push_back(std::move(spectra_[i]));
    spectra_.erase(i);
  }
  base_spectra_ = rows_of(spectra);
  base_outputs_ = options_.by_outputs ? outputs_of(placed_) : Points();
  places_ = placed_.empty() ? Points(0, options_.map.umap.dimensions)
                            : map_functions(features_of(base_outputs_, base_spectra_), options_.map);
  ready_ = true;
  for (Guest& guest : guests_) {
    if (guest.state == State::kPlaced) guest.state = State::kKnown;
  }
}

void SurrogateMap::place_later() {
  std::vector<std::size_t> later;
  std::vector<std::vector<float>> spectra;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (state_[i] != State::kKnown) continue;
    later.push_back(i);
    if (options_.by_spectra) spectra.push_back(spectra_[i]);
  }
  if (later.empty() || base_size() == 0) return;
  const Points outputs = options_.by_outputs ? outputs_of(later) : Points();
  const Points places = places_in_map(outputs, rows_of(spectra));
  places_.values.insert(places_.values.end(), places.values.begin(), places.values.end());
  places_.count += places.count;
  for (const std::size_t i : later) {
    state_[i] = State::kPlaced;
    number_[i] = placed_.size();
    placed_.push_back(i);
  }
}

std::size_t SurrogateMap::base_size() const { return options_.by_spectra ? base_spectra_.count : base_outputs_.count; }

Points SurrogateMap::places_in_map(const Points& outputs, const Points& spectra) const {
  return place_functions(features_of(outputs, spectra), features_of(base_outputs_, base_spectra_),
                         PointsView(places_).rows(0, base_size()), options_.map);
}

// One by one: a guest's place does not depend on who came with it.
void SurrogateMap::place_guests() {
  if (base_size() == 0) return;
  for (Guest& guest : guests_) {
    if (guest.state != State::kKnown) continue;
    const Points outputs = output_features(std::span(&guest.function.expr, 1), options_.outputs);
    guest.state = is_finite(outputs.row(0)) ? State::kPlaced : State::kWithoutPlace;
    guest.place.clear();
    if (guest.state == State::kWithoutPlace) continue;
    const std::vector<std::vector<float>> spectra(options_.by_spectra ? 1 : 0, guest.spectrum);
    const Points place = places_in_map(options_.by_outputs ? outputs : Points(), rows_of(spectra));
    guest.place.assign(place.row(0).begin(), place.row(0).end());
  }
}

}  // namespace actforge
