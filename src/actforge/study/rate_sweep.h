#pragma once

#include <string>
#include <vector>

#include "actforge/study/comparison.h"
#include "actforge/study/stage_run.h"

namespace actforge {

// Functions are fairly compared where each is trained with the learning rate that suits it best. Every function gets
// the same rates and as many trainings, so that none has an advantage.
struct RateSweep {
  std::vector<double> rates = {};
  std::int64_t runs = 1;  // of each function with each rate
};

// A quarter, half, once, twice and four times the study's own.
std::vector<double> usual_rates(const StudySettings& settings);

// Further rates for all functions, twice and half as large as those tried, where the best rate of some function is the
// largest or the smallest; false: there is no such function.
bool widen(RateSweep& sweep, const std::vector<ComparedFunction>& functions);

// Trains what the store does not have yet, by validation images; `plan` says how (its stage and functions do not
// matter), and gets "--rate R" behind its command. Then each function has the rate with the best mean; failures count
// as guessing, or where a loss is compared, as worse than all. Of equal ones the smallest.
void sweep_rates(Store& store, const StudySettings& settings, const RateSweep& sweep, const StagePlan& plan,
                 std::vector<ComparedFunction>& functions, const RunContext& context);

// Functions whose best rate is the smallest or the largest that was tried: others beyond might suit them better.
std::vector<std::string> at_the_edge(const RateSweep& sweep, const std::vector<ComparedFunction>& functions);

// note_test_look() for functions that have rates of their own.
std::size_t note_look_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions);

// run_stage() for functions that have rates of their own.
void run_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions,
                  const RunContext& context);

}  // namespace actforge
