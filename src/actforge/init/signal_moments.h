#pragma once

namespace actforge {

// What AutoInit knows of a signal.
struct SignalMoments {
  double mean = 0;
  double variance = 1;

  double square() const { return variance + mean * mean; }  // E x²
  bool operator==(const SignalMoments&) const = default;
};

// The moments of a signal of which a share comes from each of several: of E y and E y² the averages.
struct MixedMoments {
  double share = 0, mean = 0, square = 0;

  void add(double weight, const SignalMoments& part) {
    share += weight, mean += weight * part.mean, square += weight * part.square();
  }
  SignalMoments moments() const {
    const double m = mean / share;
    const double v = square / share - m * m;
    return {m, v > 0 ? v : 0};
  }
};

}  // namespace actforge
