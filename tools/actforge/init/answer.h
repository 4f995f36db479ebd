#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/init/weight_plan.h"
#include "actforge/report/plots/line_plot.h"
#include "actforge/torch/train/signal_check.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// One initialisation, and what becomes of the signal.
struct SignalRow {
  std::string method;
  SignalAnalysis analysis;
  std::optional<MeasuredSignals> measured;
};

// Everything that `actforge init` has to say.
struct InitAnswer {
  const Network* network = nullptr;
  SignalRow chosen;
  std::optional<SignalRow> other;  // beside it in plots
  std::vector<std::string> notes;
  double seconds = 0;
};

nlohmann::json answer_json(const InitAnswer& answer);
void print_answer(const InitAnswer& answer);
LinePlot signal_plot(const InitAnswer& answer);
std::string signal_report(const InitAnswer& answer);

}  // namespace actforge::tool
