#include "actforge/init_measure.h"

namespace actforge::tool {

MeasuredSignals measure(const Network& network, const WeightPlan& plan, const SignalMoments& input,
                        const FileValues& file, const SignalCheckOptions& options) {
  return measure_signals(network, plan, input, file, options);
}

std::vector<std::vector<std::vector<float>>> measured_weights(const Network& network, const WeightPlan& plan,
                                                              const SignalMoments& input, const FileValues& file,
                                                              const SignalCheckOptions& options) {
  return weights_by_samples(network, plan, input, file, options);
}

}  // namespace actforge::tool
