#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/base/option_texts.h"
#include "actforge/base/run_context.h"
#include "actforge/expr/language/expr.h"
#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/search/evaluators/objective.h"
#include "actforge/store/trial.h"

namespace actforge {

struct EvaluationRequest {
  Expr function = {};
  std::string expression = {};           // its call form
  Hyperparameters hyperparameters = {};  // searched together with the function
  std::int64_t trial = 0;
  RunContext run = {};   // asked often whether to stop: then the result does not matter
  bool test = false;     // scores are those on the test images; never in a search
  bool details = false;  // metrics also tell how learned parameters moved
  std::string stage = "search";
  std::string log = {};  // a file for what it prints; empty: none
  // After every epoch; false: the trial is given up, the result is what there is.
  std::function<bool(const CurvePoint& point)> report = [](const CurvePoint&) { return true; };
};

// Gives a function its scores, one for each objective, more is better. The status is kCompleted; kFailed
// where the function is no good (the loss became undefined); kStopped where report() said so, with the scores so far.
// Throws Error: kCancelled where the run was told to stop; any other where the evaluation itself broke, and then it may
// be tried again.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual TrialOutcome evaluate(const EvaluationRequest& request) = 0;
};

// Options of all evaluators. Each evaluator's file defines its own: a struct and the table of its fields, from which
// the command line's help, study files and stored settings come.
using EvaluatorOptions = OptionTexts;

struct EvaluatorTraits {
  bool is_needed = false;    // it must not be empty
  bool may_change = false;   // when a study goes on
  bool is_identity = false;  // results under another value cannot be compared
  bool is_file = false;      // it names one, whose content belongs to the study
  bool is_folder = false;    // it names one
  bool is_here = false;      // empty: where the study was begun
};

struct EvaluatorField : OptionRow {
  EvaluatorTraits traits = {};
};

template <class Options>
EvaluatorField evaluator_field(const OptionField<Options>& field, const EvaluatorTraits& traits = {}) {
  return {option_row(field), traits};
}

struct EvaluatorSetup {
  EvaluatorOptions options = {};
  std::vector<Objective> objectives = {};
  std::vector<std::string> hyperparameters = {};  // names of those that requests have
};

// What may depend on an evaluator's options.
struct EvaluatorNature {
  bool fractions = false;       // accuracies are from 0 to 1
  bool varies = false;          // gives the same function another score with another seed
  std::string no_repeats = {};  // why it is of no use to evaluate a function again after the search
  bool stays = false;           // has something that takes long to start, and is better asked again than made anew
  std::string caution = {};     // what may be wrong with the options, for people
  std::string spectra = {};     // the conditions of spectra that it has without a network; empty: none
};

// A row of the table in evaluators.cpp: all that is to be known of an evaluator without making one.
struct EvaluatorRow {
  std::string_view name;
  std::string_view summary;  // what it does, as a verb has it
  // What it reads in [evaluate]. A name that several evaluators have means the same in all of them.
  std::vector<EvaluatorField> fields = {};
  // Throws Error (kBadInput, kUsage) where the options do not make sense: a table that cannot be read, a target that is
  // no function. Left out: made elsewhere (EvaluatorFactory in study_evaluator.h).
  std::unique_ptr<Evaluator> (*make)(const EvaluatorSetup& setup) = nullptr;
  bool trains = false;       // a network: reads [train] and [full], takes each task, and the network has spectra
  bool any_measure = false;  // takes objectives by any name, not accuracy, loss and cost alone
  bool takes_hyperparameters = false;    // of any name; one that trains takes those that are options of training
  bool reports = false;                  // how a trial goes, so that it can be ended early
  bool prints = false;                   // to EvaluationRequest::log
  std::string_view no_normal_form = {};  // why functions must stay as they are
  // Throws Error (kBadInput) where a file cannot be read.
  EvaluatorNature (*nature)(const EvaluatorOptions& options) = [](const EvaluatorOptions&) {
    return EvaluatorNature();
  };
  // Finds the spectra of EvaluatorNature.
  std::unique_ptr<FeatureProbe> (*make_probe)(const EvaluatorOptions& options) = nullptr;

  bool reads(std::string_view option) const;
};
std::span<const EvaluatorRow> evaluators();
// Throws Error (kUsage) with the nearest name.
const EvaluatorRow& find_evaluator(std::string_view name);
// Those of all evaluators, each name once.
std::span<const EvaluatorField> evaluator_fields();

// The score of the cost: minus the nanoseconds per number, forward and backward.
double cost_score(const Expr& function);

}  // namespace actforge
