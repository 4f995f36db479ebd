#pragma once

// Scalar functions in double precision that several rows of the operator table share.

namespace actforge {

double sigmoid(double x);
double sigmoid_slope(double x);
double softplus(double x);

// x·g and g + x·h, for gates g in [0,1] that vanish at -inf faster than 1/x: the limits, not NaN, at ±inf.
double gated(double x, double gate);
double gated_slope(double x, double gate, double gate_slope);

// e^-|x| I_n(x) for n = 0, 1 and their derivatives, for every x including ±inf.
inline constexpr double kBesselLarge = 500;  // beyond, values need no function of the C library
double bessel_i0e(double x);
double bessel_i1e(double x);
double bessel_i0e_slope(double x);
double bessel_i1e_slope(double x);

double sinc(double x);
double sinc_slope(double x);

double gelu_gate_argument(double x);

}  // namespace actforge
