#pragma once

// Coefficients of random_fill.cpp, in ascending powers. scripts/fit_random_fill.py finds them.

namespace actforge::random_fill {

// The quantile of the normal distribution within ±2, v = -1 .. 1 for probabilities 0 .. 1, is v P(w)/Q(w), w = 1 - v²;
// relative error 4.7e-7. All coefficients are positive, so nothing cancels, and at the ends the value is just below 2.
inline constexpr float kTruncatedP[] = {2.05999899f, 21.1026402f, 47.3413582f, 18.0586109f};
inline constexpr float kTruncatedQ[] = {1.02999997f, 12.3122482f, 36.0008354f, 23.333168f, 1.35495877f};

// -2 log(1 + f) = f P(f), sqrt(1/2) <= 1 + f <= sqrt(2); 1.7e-7.
inline constexpr float kMinusTwoLogP[] = {-1.99999989f,  1.0000073f,   -0.666701174f, 0.499398159f,
                                          -0.398003432f, 0.345017024f, -0.324450798f, 0.202135484f};

// sin(π/2 t) = t P(t²), |t| <= 1; 5.3e-9.
inline constexpr float kSineP[] = {1.57079632f, -0.645963711f, 0.079689679f, -0.00467376662f, 0.000151485129f};

// cos(π/2 t) = P(t²), |t| <= 1; absolute error 4.7e-8.
inline constexpr float kCosineP[] = {0.999999953f, -1.23369821f, 0.253650745f, -0.0208106276f, 0.000858190606f};

}  // namespace actforge::random_fill
