#pragma once

#include "actforge/fisher/fisher.h"
#include "actforge/search/train_tasks.h"
#include "actforge/store/store.h"

namespace actforge {

// Spectra of functions under the conditions of a study: its first network and data set, its recipe, its seed. Kept in
// the study, so that nothing is measured twice; any number of processes may add to them.
class FisherFeatures {
 public:
  // Of `options` all but the initialiser, which is the study's. Throws Error where the study does not train.
  FisherFeatures(const StudySettings& settings, const FisherOptions& options);

  // The conditions, as StudyFeatures::group.
  const std::string& group() const { return group_; }
  const Network& network() const { return network_; }

  // Those of `functions` of which the study has no features; equal ones once.
  std::vector<Expr> missing(Store& store, std::span<const Expr> functions) const;

  // Called after each function, with how many are done; to stop, it returns false.
  using Observer = std::function<bool(std::size_t done, const StudyFeatures& features)>;
  // Measures functions on all processors and keeps each as soon as it is known. A process that is killed loses what it
  // is at.
  void measure(Store& store, std::span<const Expr> functions, const Observer& observer = {}) const;

 private:
  FisherFeatures(const StudySettings& settings, const FisherOptions& options, const TrainTask& task);

  FisherRun run_;
  Network network_;
  std::string group_;
};

}  // namespace actforge
