#include "actforge/embedding.h"

#include <fmt/format.h>

#include <algorithm>

#include "actforge/embed_functions.h"
#include "actforge/search/space_functions.h"
#include "actforge/search/trial_log.h"

namespace actforge::tool {
namespace {

// Measuring more spectra takes hours: somebody should ask for it.
constexpr std::size_t kMostMeasured = 5000;
// Features in memory: 8 GB.
constexpr std::uint64_t kMostNumbers = 2'000'000'000;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

}  // namespace

Embedding::Embedding(const EmbedOptions& options) : options_(options) {
  if (!options_.study.empty()) study_ = open_study(options_.study);
  if (options_.space.space.empty()) options_.space.space = study_->settings.space;
  if (options_.wants_spectra() && options_.measures()) {
    meter_ = make_spectrum_meter(options_, study_ ? &*study_ : nullptr);
  }
}

void Embedding::make() {
  clock_.begin("functions");
  collect_functions();
  if (options_.wants_spectra()) collect_spectra();
  if (options_.wants_outputs()) collect_outputs();
  if (answer_.functions.empty()) {
    throw Error(ErrorCode::kFailed, "no function is left to be placed: " + left_out_text());
  }
  place();
  clock_.begin("files");
  for (const std::string& path : options_.files) write_map(answer_, path);
  clock_.end();
}

// ---- functions

void Embedding::collect_functions() {
  const Space space = read_space(options_.space);
  space_name_ = space.name();
  total_ = space.total();
  FunctionSet set;
  // Without measuring, only those that the study has spectra of can be placed.
  options_.wants_spectra() && !meter_ ? add_kept(set) : add_space(set, space);
  from_space_ = set.size();
  add_known(set, answer_);
  if (study_) add_trials(set, space);
  functions_ = set.size();
  if (options_.wants_outputs() && functions_ > kMostNumbers / options_.outputs.inputs) {
    refuse(fmt::format("{} functions at {} inputs are too much for memory; say fewer with --count or --inputs",
                       with_commas(functions_), with_commas(options_.outputs.inputs)));
  }
  answer_.functions = set.functions();
  answer_.title = space_name_ + " by " + features_text();
}

void Embedding::add_space(FunctionSet& set, const Space& space) {
  if (!options_.count && total_ > kMostEnumerated) {
    refuse(
        fmt::format("{} has {} functions, too many for one map; say how many to draw with --count, such as --count "
                    "5000",
                    space_name_, with_commas(total_)));
  }
  const SpaceFunctionsCount count = add_functions(
      set, space,
      {.count = options_.count,
       .seed = options_.seed,
       .threads = options_.threads,
       .progress = [this](std::uint64_t done, std::uint64_t all) { clock_.show("functions", done, all); }});
  unique_ = count.unique;
  if (meter_ && !options_.count && count.added > kMostMeasured) {
    refuse(fmt::format("the spectra of {} functions would take hours; say how many with --count, such as --count 500",
                       with_commas(count.added)));
  }
}

void Embedding::add_kept(FunctionSet& set) {
  if (options_.space.space != study_->settings.space) {
    refuse(
        fmt::format("'{}' has spectra of functions of {}, not of {}; leave out --space, or measure with --net and "
                    "--data",
                    options_.study, study_->settings.space, options_.space.space));
  }
  KeptSpectra kept = kept_spectra(*study_->store, options_.study);
  conditions_ = kept.group;
  for (StudyFeatures& row : kept.features) {
    if (options_.count && set.size() >= *options_.count) break;
    if (const std::optional<Expr> function = try_parse(row.expression)) set.add(*function);
    kept_values_.emplace(row.key, std::move(row.values));
  }
}

void Embedding::add_trials(FunctionSet& set, const Space& space) {
  const Objective objective = add_objective(answer_, study_->settings);
  bool inside = options_.space.space == study_->settings.space;
  study_->store->each([&](const Trial& trial) {
    const std::optional<std::size_t> number = add_trial(set, answer_, objective, trial);
    inside = inside || (number && (*number < from_space_ || space.admits(set.functions()[*number])));
  });
  if (inside || answer_.trials.empty()) return;
  refuse(fmt::format("no trial of '{}' is a function of {}: it searched {}; leave out --space to see that",
                     options_.study, space_name_, study_->settings.space));
}

// ---- features

void Embedding::collect_spectra() {
  clock_.begin("spectra");
  const std::vector<SpectrumFeatures> features = meter_ ? measured() : kept();
  for (const SpectrumFeatures& row : features) spectra_.width = std::max(spectra_.width, row.size());
  std::vector<bool> valid;
  for (const SpectrumFeatures& row : features) {
    valid.push_back(!row.empty() && row.size() == spectra_.width);
    if (valid.back()) spectra_.values.insert(spectra_.values.end(), row.begin(), row.end());
  }
  no_spectra_ = answer_.keep(valid);
  spectra_.count = answer_.functions.size();
}

std::vector<SpectrumFeatures> Embedding::measured() {
  return meter_->measure(answer_.functions, [this](std::size_t done, std::size_t all) {
    clock_.show("spectra", done, all);
    return true;
  });
}

std::vector<SpectrumFeatures> Embedding::kept() const {
  const FunctionKeys keys;
  std::vector<SpectrumFeatures> features;
  for (const Expr& function : answer_.functions) {
    const auto found = kept_values_.find(keys(function).canonical);
    features.push_back(found == kept_values_.end() ? SpectrumFeatures{} : found->second);
  }
  return features;
}

void Embedding::collect_outputs() {
  clock_.begin("outputs");
  OutputOptions how = options_.outputs;
  how.seed = options_.seed;
  how.threads = options_.threads;
  const std::size_t before = answer_.functions.size();
  outputs_ = kept_outputs(answer_, how, &spectra_);
  no_outputs_ = before - answer_.functions.size();
}

// Functions that differ by rounding alone count as one neighbour, and have one place.
void Embedding::place() {
  if (!options_.wants_outputs()) {
    answer_.places = map_functions({.spectra = spectra_}, map_options());
    return;
  }
  TwinMap map = map_with_twins(std::move(outputs_), std::move(spectra_), map_options());
  answer_.places = std::move(map.places);
  twins_ = map.twins;
}

MapOptions Embedding::map_options() {
  MapOptions map = options_.map;
  map.umap.seed = options_.seed;
  map.umap.threads = options_.threads;
  map.progress = [this](std::string_view step, std::size_t done, std::size_t all) {
    clock_.show(std::string(step), done, all);
  };
  return map;
}

// ---- answers

std::string Embedding::features_text() const {
  if (!options_.wants_spectra()) return "outputs";
  const std::string of = options_.net.empty() ? "the study's network" : options_.net + " on " + options_.data;
  return (options_.wants_outputs() ? "outputs and spectra of " : "spectra of ") + of;
}

std::string Embedding::left_out_text() const {
  std::string text;
  if (no_spectra_ > 0) text = with_commas(no_spectra_) + " without a valid spectrum";
  if (no_outputs_ > 0) {
    text += (text.empty() ? "" : ", ") + with_commas(no_outputs_) + " with infinite or undefined outputs";
  }
  return text;
}

void Embedding::print() const {
  fmt::print("{}: {} functions", space_name_, with_commas(total_));
  if (unique_) fmt::print(", {} unique", with_commas(*unique_));
  if (options_.count || !conditions_.empty()) fmt::print(", {} taken", with_commas(from_space_));
  if (functions_ > from_space_) fmt::print(", {} others added", with_commas(functions_ - from_space_));
  fmt::print("\n{} placed by {}", with_commas(answer_.functions.size()), features_text());
  if (twins_ > 0) fmt::print(", {} of them equal to others but for rounding", with_commas(twins_));
  if (no_outputs_ + no_spectra_ > 0) fmt::print("; left out: {}", left_out_text());
  if (study_) fmt::print("\n{} trials of {} are on the map", with_commas(answer_.trials.size()), options_.study);
  fmt::print("\n");
  for (const std::string& path : options_.files) fmt::print("written: {}\n", path);
}

nlohmann::json Embedding::json() const {
  nlohmann::json steps = nlohmann::json::object();
  for (const auto& [step, seconds] : clock_.steps()) steps[step] = seconds;
  nlohmann::json json = {{"space", space_name_},
                         {"features", options_.features},
                         {"total", integer_json(total_)},
                         {"functions", functions_},
                         {"placed", answer_.functions.size()},
                         {"left_out", {{"outputs", no_outputs_}, {"spectra", no_spectra_}}},
                         {"twins", twins_},
                         {"trials", answer_.trials.size()},
                         {"seconds", clock_.seconds()},
                         {"steps", std::move(steps)}};
  if (unique_) json["unique"] = *unique_;
  if (!conditions_.empty()) json["conditions"] = conditions_;
  options_.files.empty() ? json["points"] = points_json(answer_) : json["files"] = options_.files;
  return json;
}

}  // namespace actforge::tool
