#include "actforge/study/spectrum_probe.h"

#include "actforge/base/error.h"

namespace actforge {

KeptSpectra kept_spectra(Store& store, const std::string& location) {
  KeptSpectra kept;
  std::size_t most = 0;
  for (const std::string& group : store.feature_groups()) {
    const std::size_t count = store.feature_keys(group).size();
    if (count <= most) continue;
    most = count;
    kept.group = group;
  }
  if (most == 0) {
    throw Error(ErrorCode::kUsage, "'" + location +
                                       "' has no spectra yet; add --measure, or measure its trials with 'actforge "
                                       "fisher --study " +
                                       location + "'");
  }
  std::int64_t seen = 0;
  kept.features = store.features(kept.group, seen);
  return kept;
}

}  // namespace actforge
