#pragma once

namespace actforge {

// What AutoInit knows of a signal.
struct SignalMoments {
  double mean = 0;
  double variance = 1;
  // Of the numbers that a channel has at two different places (pixels, tokens). They share the channel's weights, so
  // that it rises from layer to layer: an average over places varies more than that of independent numbers.
  double correlation = 0;

  double square() const { return variance + mean * mean; }  // E x²
  double covariance() const { return correlation * variance; }
  // E x y of two places
  double product() const { return covariance() + mean * mean; }
  bool operator==(const SignalMoments&) const = default;

  // With a covariance of two places in place of their correlation.
  static SignalMoments of(double mean, double variance, double covariance) {
    return {mean, variance, variance > 0 ? covariance / variance : 0};
  }
};

// The moments of a signal of which a share comes from each of several: of E y, E y² and E y y' the averages.
struct MixedMoments {
  double share = 0, mean = 0, square = 0, product = 0;

  void add(double weight, const SignalMoments& part) {
    share += weight, mean += weight * part.mean, square += weight * part.square(), product += weight * part.product();
  }
  SignalMoments moments() const {
    const double m = mean / share;
    const double v = square / share - m * m;
    return SignalMoments::of(m, v > 0 ? v : 0, product / share - m * m);
  }
};

}  // namespace actforge
