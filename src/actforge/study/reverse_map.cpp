#include "actforge/study/reverse_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/maps/rounding_twins.h"
#include "actforge/search/maps/space_functions.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/mapped_functions.h"
#include "actforge/study/standings.h"
#include "actforge/study/summary.h"

namespace actforge {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

class ReverseMapper {
 public:
  ReverseMapper(const ReverseSources& sources, const ReverseMapOptions& options)
      : sources_(sources), options_(options) {}

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
  const RunContext& run() const { return options_.map.umap.run; }

  void add_space() { add_functions(set_, *sources_.space, {.count = options_.count, .run = run()}); }

  // A study's content cannot be trusted: text that is not a function is left out.
  void add_study() {
    const OpenStudy study = open_study(sources_.study);
    for (const Standing& standing : standings(*study.store, study.settings, kMostTrials)) {
      const std::optional<Expr> function = try_parse(standing.trial.plan.expression);
      if (function) scores_.emplace_back(set_.add(*function), standing.trial.outcome.scores[0]);
    }
    if (scores_.empty()) {
      throw Error(ErrorCode::kBadInput,
                  "no trial of '" + sources_.study + "' has a score yet, so none can be predicted");
    }
  }

  void draw() { map_.map = map_by_outputs(std::move(outputs_), options_.inputs, options_.map); }

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
    const RoundingTwins twins = rounding_twins(outputs_, run());
    keep_rows(outputs_, twins.first);
    map_.twins = kept.size() - twins.first.size();
    for (const std::uint32_t row : twins.first) map_.functions.push_back(set_.functions()[kept[row]]);
    row_of_.assign(set_.size(), kNowhere);
    for (std::size_t i = 0; i < kept.size(); ++i) row_of_[kept[i]] = twins.of[i];
    if (outputs_.count < 3) {
      throw Error(ErrorCode::kBadInput, "only " + std::to_string(outputs_.count) + " of " +
                                            std::to_string(set_.size()) +
                                            " functions are different and have outputs within ±" +
                                            number_text(options_.largest) + ": too few for a map");
    }
  }

  // Of those that were asked for.
  void find_rows() {
    for (const std::size_t number : wanted_) {
      if (row_of_[number] == kNowhere) {
        throw Error(ErrorCode::kBadInput, to_call(set_.functions()[number]) +
                                              " cannot be put on the map: some of its outputs for x from -5 to 5 are "
                                              "undefined or beyond ±" +
                                              number_text(options_.largest));
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
  FunctionSet set_;
  std::vector<std::size_t> wanted_, row_of_;
  std::vector<std::pair<std::size_t, double>> scores_;
  Points outputs_;
  ReverseMap map_;
};

}  // namespace

ReverseMap make_reverse_map(const ReverseSources& sources, const ReverseMapOptions& options) {
  return ReverseMapper(sources, options).make();
}

EmptyPlaces empty_places(const ReverseMap& map, const std::string& study, const EmptyPlacesOptions& options) {
  const PointsView points = map.map.places;
  const EmptyOptions search = {.run = options.run};
  EmptyPlaces answer;
  std::vector<EmptyPoint> found;
  if (study.empty()) {
    found = emptiest_points(points, options.count, search);
  } else {
    const double clearance = options.clearance ? *options.clearance : usual_clearance(points, options.run);
    found = {best_empty_point(points, clearance, expected_scores(map.map, map.scored, options.regressor), search)};
    const Objective objective = study_objectives(open_study(study).settings).at(0);
    answer.expected = shown_score(objective, found[0].value);
    answer.score_name = objective.name;
  }
  answer.places = Points(found.size(), 2);
  for (std::size_t i = 0; i < found.size(); ++i) {
    answer.places.row(i)[0] = static_cast<float>(found[i].at.x);
    answer.places.row(i)[1] = static_cast<float>(found[i].at.y);
    answer.clearance.push_back(found[i].distance);
  }
  return answer;
}

namespace {

Points chosen_rows(const Points& points, const std::vector<std::size_t>& rows) {
  Points chosen(rows.size(), points.width);
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(points.row(rows[i]), chosen.row(i).begin());
  return chosen;
}

Points wanted_places(const ReverseQuestion& question, const ReverseAnswer& answer) {
  if (question.empty) return answer.empty.places;
  if (question.between.empty()) return question.at;
  return points_between(chosen_rows(answer.map.map.places, answer.map.wanted), question.steps);
}

}  // namespace

ReverseAnswer answer_reverse(const ReverseQuestion& question, const RunContext& run) {
  ReverseMapOptions map = question.map;
  map.inputs.run = run;
  map.map.umap.run = run;
  EmptyPlacesOptions empty = question.empty_places;
  empty.run = run;
  ReverseOptions reverse = question.reverse;
  reverse.run = run;
  ReverseAnswer answer;
  answer.map = make_reverse_map({.space = question.space, .wanted = question.between, .study = question.study}, map);
  if (question.empty) answer.empty = empty_places(answer.map, question.study, empty);
  answer.made = reverse_engineer(answer.map.map, wanted_places(question, answer), reverse);
  return answer;
}

}  // namespace actforge
