#include "actforge/reverse_map.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/embed_functions.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "actforge/progress.h"
#include "actforge/search/known_functions.h"
#include "actforge/search/rounding_twins.h"
#include "actforge/search/space_functions.h"
#include "actforge/search/study.h"

namespace actforge::tool {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

class ReverseMapper {
 public:
  ReverseMapper(const ReverseSources& sources, const ReverseMapOptions& options, const Interrupt& interrupt)
      : sources_(sources), options_(options), interrupt_(interrupt) {}

  ReverseMap make() {
    add_space();
    for (const Expr& function : sources_.wanted) wanted_.push_back(set_.add(function));
    if (!sources_.study.empty()) add_study();
    keep_different();
    find_rows();
    name_known();
    draw();
    return std::move(map_);
  }

 private:
  void stop_if_asked() const {
    if (interrupt_.requested()) throw ReverseStopped{};
  }

  void add_space() {
    Progress progress("functions");
    const auto show = [&](std::uint64_t done, std::uint64_t total) {
      stop_if_asked();
      progress.show(done, total);
    };
    add_functions(set_, *sources_.space,
                  {.count = options_.count, .seed = options_.seed, .threads = options_.threads, .progress = show});
  }

  // A study may have been written by anybody: what is no function is left out.
  void add_study() {
    const OpenStudy study = open_study(sources_.study);
    study.store->each([&](const Trial& trial) {
      if (trial.status() != TrialStatus::kCompleted || trial.outcome.scores.empty()) return;
      try {
        scores_.emplace_back(set_.add(parse(trial.plan.expression)), trial.outcome.scores[0]);
      } catch (const Error&) {
      }
    });
    if (scores_.empty()) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("no trial of '{}' has a score yet: nothing to predict from", sources_.study));
    }
  }

  void draw() {
    Progress progress("map");
    MapOptions options = options_.map;
    options.progress = [&](std::string_view, std::size_t done, std::size_t total) {
      stop_if_asked();
      progress.show(done, total);
    };
    map_.map = map_by_outputs(std::move(outputs_), options_.inputs, options);
    map_.map.options.progress = {};  // later functions are placed without it
  }

  bool is_kept(std::span<const float> row) const {
    const double limit = options_.largest / std::sqrt(static_cast<double>(row.size()));
    for (const float y : row) {
      if (!(std::fabs(static_cast<double>(y)) <= limit)) return false;
    }
    return true;
  }

  // Functions whose outputs cannot be compared have no place, and those that differ by rounding alone have one.
  void keep_different() {
    outputs_ = output_features(set_.functions(), options_.inputs);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < set_.size(); ++i) {
      if (is_kept(outputs_.row(i))) kept.push_back(i);
    }
    keep_rows(outputs_, kept);
    map_.left_out = set_.size() - kept.size();
    const RoundingTwins twins = rounding_twins(outputs_, options_.threads);
    keep_rows(outputs_, twins.first);
    map_.twins = kept.size() - twins.first.size();
    for (const std::uint32_t row : twins.first) map_.functions.push_back(set_.functions()[kept[row]]);
    row_of_.assign(set_.size(), kNowhere);
    for (std::size_t i = 0; i < kept.size(); ++i) row_of_[kept[i]] = twins.of[i];
    if (outputs_.count < 3) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{} of {} functions differ and have outputs within ±{}: too few for a map",
                              outputs_.count, set_.size(), options_.largest));
    }
  }

  // Of those that were asked for.
  void find_rows() {
    for (const std::size_t number : wanted_) {
      if (row_of_[number] == kNowhere) {
        throw Error(ErrorCode::kBadInput, fmt::format("{} has no place on the map: some of its outputs for x from -5 "
                                                      "to 5 are undefined or beyond ±{}",
                                                      to_call(set_.functions()[number]), options_.largest));
      }
      map_.wanted.push_back(row_of_[number]);
    }
    for (const auto& [number, score] : scores_) {
      if (row_of_[number] != kNowhere) map_.scored.push_back({.row = row_of_[number], .score = score});
    }
  }

  void name_known() {
    const std::size_t size = set_.size();
    for (const KnownFunction& known : known_functions()) {
      const std::size_t number = set_.add(parse(known.expression));
      if (number < size && row_of_[number] != kNowhere) map_.names[row_of_[number]] = known.name;
    }
  }

  const ReverseSources& sources_;
  const ReverseMapOptions& options_;
  const Interrupt& interrupt_;
  FunctionSet set_;
  std::vector<std::size_t> wanted_, row_of_;
  std::vector<std::pair<std::size_t, double>> scores_;
  Points outputs_;
  ReverseMap map_;
};

}  // namespace

ReverseMap make_reverse_map(const ReverseSources& sources, const ReverseMapOptions& options,
                            const Interrupt& interrupt) {
  return ReverseMapper(sources, options, interrupt).make();
}

}  // namespace actforge::tool
