#include "actforge/study/embedding.h"

#include <algorithm>
#include <map>

#include "actforge/base/error.h"
#include "actforge/search/maps/space_functions.h"
#include "actforge/space/function_key.h"

namespace actforge {
namespace {

// Measuring more spectra takes hours, so the user must ask for it.
constexpr std::size_t kMostMeasured = 5000;
// Features in memory: 8 GB.
constexpr std::uint64_t kMostNumbers = 2'000'000'000;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

class Embedder {
 public:
  Embedder(const EmbeddingOptions& options, const RunContext& context) : options_(options), context_(context) {}

  Embedding make() {
    begin("functions");
    collect_functions();
    if (options_.by_spectra) collect_spectra();
    if (options_.by_outputs) collect_outputs();
    if (mapped_.functions.empty()) {
      throw Error(ErrorCode::kFailed, "no function is left for the map: " + result_.left_out_text());
    }
    place();
    return std::move(result_);
  }

 private:
  void begin(std::string_view step) const { context_.show(step, 0, 1); }

  // ---- functions

  void collect_functions() {
    result_.space = options_.space->name();
    result_.features = features_text();
    result_.total = options_.space->total();
    FunctionSet set;
    // Without measuring, only those that the study has spectra of can be placed.
    options_.by_spectra&& options_.probe == nullptr ? add_kept(set) : add_space(set);
    result_.from_space = set.size();
    add_known(set, mapped_);
    if (options_.study != nullptr) add_trials(set);
    result_.functions = set.size();
    if (options_.by_outputs && result_.functions > kMostNumbers / options_.outputs.inputs) {
      refuse(with_commas(result_.functions) + " functions at " + with_commas(options_.outputs.inputs) +
             " inputs do not fit into memory; take fewer with --count or --inputs");
    }
    mapped_.functions = set.functions();
    mapped_.title = result_.space + " by " + result_.features;
  }

  void add_space(FunctionSet& set) {
    if (!options_.count && result_.total > kMostEnumerated) {
      refuse(result_.space + " has " + with_commas(result_.total) +
             " functions, too many for one map; draw some of them, such as --count 5000");
    }
    const SpaceFunctionsCount count = add_functions(set, *options_.space, {.count = options_.count, .run = context_});
    result_.unique = count.unique;
    if (options_.probe != nullptr && !options_.count && count.added > kMostMeasured) {
      refuse("the spectra of " + with_commas(count.added) +
             " functions would take hours; limit them with --count, such as --count 500");
    }
  }

  void add_kept(FunctionSet& set) {
    const std::string& searched = options_.study->settings.space;
    if (options_.space_text != searched) {
      refuse("'" + options_.study_location + "' has spectra of functions of " + searched + ", not of " +
             options_.space_text + "; leave out --space, or measure with --net and --data");
    }
    KeptSpectra kept = kept_spectra(*options_.study->store, options_.study_location);
    result_.conditions = kept.group;
    for (StudyFeatures& row : kept.features) {
      if (options_.count && set.size() >= *options_.count) break;
      if (const std::optional<Expr> function = try_parse(row.expression)) set.add(*function);
      kept_values_.emplace(row.key, std::move(row.values));
    }
  }

  void add_trials(FunctionSet& set) {
    const OpenStudy& study = *options_.study;
    const Objective objective = add_objective(mapped_, study.settings);
    bool inside = options_.space_text == study.settings.space;
    study.store->each([&](const Trial& trial) {
      const std::optional<std::size_t> number = add_trial(set, mapped_, objective, trial);
      inside = inside || (number && (*number < result_.from_space || options_.space->admits(set.functions()[*number])));
    });
    if (inside || mapped_.trials.empty()) return;
    refuse("no trial of '" + options_.study_location + "' is a function of " + result_.space + ": it searched " +
           study.settings.space + "; leave out --space to see that");
  }

  // ---- features

  void collect_spectra() {
    begin("spectra");
    const MeasuredSpectra measured =
        options_.probe != nullptr ? options_.probe->measure(mapped_.functions) : MeasuredSpectra{.features = kept()};
    const std::vector<SpectrumFeatures>& features = measured.features;
    for (const SpectrumFeatures& row : features) spectra_.width = std::max(spectra_.width, row.size());
    std::vector<bool> valid;
    for (const SpectrumFeatures& row : features) {
      valid.push_back(!row.empty() && row.size() == spectra_.width);
      if (valid.back()) spectra_.values.insert(spectra_.values.end(), row.begin(), row.end());
    }
    result_.elsewhere = measured.elsewhere;
    result_.no_spectra = mapped_.keep(valid) - measured.elsewhere;
    spectra_.count = mapped_.functions.size();
  }

  std::vector<SpectrumFeatures> kept() const {
    std::vector<SpectrumFeatures> features;
    for (const Expr& function : mapped_.functions) {
      const auto found = kept_values_.find(canonical_key(function));
      features.push_back(found == kept_values_.end() ? SpectrumFeatures{} : found->second);
    }
    return features;
  }

  void collect_outputs() {
    begin("outputs");
    OutputOptions how = options_.outputs;
    how.run = context_;
    const std::size_t before = mapped_.functions.size();
    outputs_ = kept_outputs(mapped_, how, &spectra_);
    result_.no_outputs = before - mapped_.functions.size();
  }

  // Functions that differ by rounding alone count as one neighbour, and have one place.
  void place() {
    if (!options_.by_outputs) {
      mapped_.places = map_functions({.spectra = spectra_}, map_options());
      return;
    }
    TwinMap map = map_with_twins(std::move(outputs_), std::move(spectra_), map_options());
    mapped_.places = std::move(map.places);
    result_.twins = map.twins;
  }

  MapOptions map_options() const {
    MapOptions map = options_.map;
    map.umap.run = context_;
    return map;
  }

  std::string features_text() const {
    if (!options_.by_spectra) return "outputs";
    return (options_.by_outputs ? "outputs and spectra of " : "spectra of ") + options_.spectra_of;
  }

  const EmbeddingOptions& options_;
  const RunContext& context_;
  std::map<std::string, SpectrumFeatures> kept_values_;  // of the study, by the key of the canonical form
  Points outputs_, spectra_;
  Embedding result_;
  MappedFunctions& mapped_ = result_.mapped;
};

}  // namespace

std::string Embedding::left_out_text() const {
  std::string text;
  const auto add = [&](std::size_t count, const std::string& why) {
    if (count > 0) text += (text.empty() ? "" : ", ") + with_commas(count) + why;
  };
  add(no_spectra, " without a valid spectrum");
  add(elsewhere, " whose spectrum another process is measuring");
  add(no_outputs, " with infinite or undefined outputs");
  return text;
}

Embedding embed(const EmbeddingOptions& options, const RunContext& context) {
  return Embedder(options, context).make();
}

}  // namespace actforge
