#include "actforge/search/strategies/aquasurf_options.h"

#include "actforge/base/error.h"
#include "actforge/search/strategies/predictor.h"
#include "actforge/surrogate/acquisition.h"

namespace actforge {

namespace {

using O = AquasurfOptions;

// Names of the rows of a table, as the words of an option.
template <class Table>
std::string words_of(const Table& table) {
  std::string words;
  for (const auto& row : table) words += (words.empty() ? "" : " ") + std::string(row.name);
  return words;
}

}  // namespace

std::span<const OptionField<AquasurfOptions>> aquasurf_fields() {
  static const std::string regressor_words = words_of(regressors()), acquisition_words = words_of(acquisitions());
  static const OptionField<O> table[] = {
      {"evaluations", "of aquasurf: evaluations in all, those at the start and repeats included", &O::evaluations, 1,
       1e9},
      {"start", kStartHelp, &O::start},
      {"start-random", "of aquasurf: random functions of the space evaluated after those", &O::start_random, 0, 1e6},
      {"features", "of aquasurf: what functions are compared by; auto: both where there are spectra, else outputs",
       &O::features, 0, 0, "auto outputs eigenvalues both"},
      {"inputs", "of aquasurf: inputs at which outputs are compared", &O::inputs, 1, 1e6},
      {"evenly", "of aquasurf: these in equal steps from -5 to 5, not drawn from a normal distribution", &O::evenly},
      {"pool", "of aquasurf: random functions of the space that are compared at first; 0: all of it", &O::pool, 0, 1e8},
      {"growth", "of aquasurf: further spectra that a worker measures after each trial", &O::growth, 0, 1e6},
      {"output-neighbours", "of aquasurf: neighbours by outputs in the map", &O::output_neighbours, 2, 1e4},
      {"spectrum-neighbours", "of aquasurf: neighbours by eigenvalues in the map", &O::spectrum_neighbours, 2, 1e4},
      {"min-dist", "of aquasurf: how close functions may come in the map", &O::min_dist, 0, 1},
      {"dimensions", "of aquasurf: coordinates of the map", &O::dimensions, 1, 1000},
      {"regressor", "of aquasurf: what predicts scores from positions in the map", &O::regressor, 0, 0,
       regressor_words},
      {"acquisition",
       "of aquasurf: what makes a function promising; all but maximum need a regressor that says how sure it is, as gp",
       &O::acquisition, 0, 0, acquisition_words},
      {"exploration", "of aquasurf: share of the trials that are random functions", &O::exploration, 0, 1},
  };
  return table;
}

AquasurfOptions read_aquasurf(const StrategyOptions& texts) {
  return read_options<AquasurfOptions>(texts, aquasurf_fields());
}

namespace {

void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, "[strategy] " + why); }

// Spectra are those of the network that is trained.
void complete_features(AquasurfOptions& options, const StudyTraits& study) {
  std::string& features = options.features;
  if (features == "auto") features = study.has_spectra ? "both" : "outputs";
  if (features == "outputs" || study.has_spectra) return;
  refuse("features: '" + features +
         "' needs spectra, hence a network that is trained or a benchmark that has them, and the evaluator is '" +
         std::string(study.evaluator) + "'; take 'outputs'");
}

}  // namespace

void complete_aquasurf(StrategyOptions& texts, const StudyTraits& study) {
  AquasurfOptions options = read_aquasurf(texts);
  complete_features(options, study);
  try {
    check_belief(find_acquisition(options.acquisition), find_regressor(options.regressor));
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (options.start_random == 0 && starting_functions(options.start).empty()) {
    refuse("'start' names no functions and 'start-random' is 0: nothing could be predicted");
  }
  texts["features"] = options.features;
}

std::string aquasurf_caution(const StrategyOptions& texts, const StudyOutlook& outlook) {
  const AquasurfOptions options = read_aquasurf(texts);
  const std::uint64_t start = starting_functions(options.start).size() + options.start_random;
  return start_caution(start, outlook.functions);
}

}  // namespace actforge
