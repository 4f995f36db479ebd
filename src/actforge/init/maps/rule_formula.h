#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/init/moments/signal_moments.h"

namespace actforge {

// A formula over the moments of a layer's inputs, such as "4*v" or "max(m1, m2)^2".
class RuleFormula {
 public:
  // Throws Error (kBadInput) with the column.
  explicit RuleFormula(std::string_view text);
  static RuleFormula constant(double value);

  // Throws Error (kBadInput) where it speaks of an input that is not there.
  double value(std::span<const SignalMoments> inputs) const;

 private:
  enum class Code : std::uint8_t {
    kNumber,
    kMean,
    kVariance,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kSqrt,
    kExp,
    kLog,
    kAbs,
    kMin,
    kMax
  };
  // Operands first, as a calculator with a stack takes them.
  struct Step {
    Code code;
    double number = 0;
    std::size_t input = 0;
  };
  class Parser;

  RuleFormula() = default;
  std::vector<Step> steps_;
};

}  // namespace actforge
