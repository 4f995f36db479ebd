#pragma once

#include "actforge/base/run_context.h"

namespace actforge::tool {

// While one is there, Ctrl-C and SIGTERM do not end the program but are remembered, so that long work can stop at a
// safe point. A second one ends it at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  // 130 or 143, as a shell expects.
  int exit_code() const;
  // For work that is to stop when it is requested.
  RunContext context() const;
};

// Of a program that was stopped: 130 or 143, by the last signal that an Interrupt remembered.
int cancelled_exit_code();

}  // namespace actforge::tool
