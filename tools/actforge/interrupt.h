#pragma once

namespace actforge::tool {

// While one is there, Ctrl-C and SIGTERM do not end the program but are remembered, so that long work can stop at a
// good place. A second one ends it at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  // 130 or 143, as a shell expects.
  int exit_code() const;
};

}  // namespace actforge::tool
