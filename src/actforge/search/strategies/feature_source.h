#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actforge/search/maps/candidate_pool.h"

namespace actforge {

// Features of functions that a strategy looks at before it chooses: which are wanted, in which order, and how many are
// owed before the next trial. What it says follows from the features in the study's store, so that all workers agree,
// and one that starts later goes on where others were.
class FeatureSource {
 public:
  virtual ~FeatureSource() = default;

  // The conditions under which they are measured: StudyFeatures::group.
  virtual const std::string& group() const = 0;
  // How many of those wanted are to be measured before the next trial, now that so many trials are over. Reads what was
  // measured since the last question, and makes of it what the strategy needs: may take long.
  virtual std::size_t owed(std::int64_t over) = 0;
  // Functions whose features are missing, as far as was read, the most urgent first. Who has no trial to do may measure
  // any of them.
  virtual std::vector<const PooledFunction*> wanted() const = 0;
};

}  // namespace actforge
