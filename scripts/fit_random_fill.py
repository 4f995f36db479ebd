#!/usr/bin/env python3
"""Fits the functions of src/actforge/init/weights/random_fill.cpp and prints their coefficients
in ascending powers, with the methods of fit_kernels.py.  Needs mpmath and numpy."""
import mpmath as mp
from fit_kernels import fit, fit_polynomial, near

INSIDE = mp.erf(mp.sqrt(2))  # the share of a normal variable within two deviations
HALF_PI = mp.pi / 2


def truncated_over_v(w):
    v = mp.sqrt(1 - w)
    return mp.sqrt(2) * mp.erfinv(INSIDE * v) / v if v else INSIDE * mp.sqrt(mp.pi / 2)


def minus_two_log_over_f(f):
    return -2 + f if near(f) else -2 * mp.log1p(f) / f


def sine_over_t(z):
    t = mp.sqrt(z)
    return mp.sin(HALF_PI * t) / t if z > mp.mpf("1e-12") else HALF_PI


if __name__ == "__main__":
    fit("truncated", truncated_over_v, 1, 0.3, 3, 4,
        "the normal quantile of (1 + v erf(sqrt 2))/2 = v P(w)/Q(w), w = 1 - v^2, |v| <= 1")
    fit_polynomial("minus_two_log", minus_two_log_over_f, lambda f: 1 / abs(minus_two_log_over_f(f)),
                   float(mp.sqrt(0.5) - 1), float(mp.sqrt(2) - 1), 7,
                   "-2 log(1 + f) = f P(f), sqrt(1/2) <= 1 + f <= sqrt(2)")
    fit_polynomial("sine", sine_over_t, lambda z: 1 / sine_over_t(z), 0, 1, 4,
                   "sin(pi/2 t) = t P(z), z = t^2, |t| <= 1")
    fit_polynomial("cosine", lambda z: mp.cos(HALF_PI * mp.sqrt(z)), lambda z: mp.mpf(1), 0, 1, 4,
                   "cos(pi/2 t) = P(z), z = t^2, |t| <= 1 (the error is absolute)")
