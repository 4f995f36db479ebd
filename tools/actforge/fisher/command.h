#pragma once

#include <string>
#include <vector>

#include "tools/actforge/fisher/spectrum_options.h"

namespace actforge::tool {

// What `actforge fisher` was asked.
struct FisherCommand : SpectrumOptions {
  FisherCommand() {
    net = "allcnn-mini";
    data = "digits";
  }
  std::vector<std::string> activations;
  std::string study, report;
  bool json = false;
};

}  // namespace actforge::tool
