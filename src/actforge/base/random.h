#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace actforge {

// A stream of random numbers, the same on every machine. Everything random comes from (study seed, trial number,
// purpose), so that no stream depends on how many numbers another one drew or on which worker runs the trial.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t trial = 0, std::string_view purpose = {});

  std::uint64_t next();
  // Uniform over 0 .. bound-1, without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform over [0, 1), with 53 bits.
  double uniform();
  double normal();

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace actforge
