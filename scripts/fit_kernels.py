#!/usr/bin/env python3
"""Fits the float32 kernels of exp, log, arcsinh (polynomials), erf, erfc, the scaled
Bessel functions i0e and i1e and the derivatives of the latter two, and prints the
coefficients in ascending powers.  Needs mpmath and numpy; takes about ten seconds.

Each of the latter is ONE rational function P(z)/Q(z) (no polynomial pieces), possibly
under a square root or with a simple prefactor; see KERNELS at the end.

  1. The target, reduced to a smooth positive function g, is sampled with mpmath
     on Chebyshev nodes of  s = (z - k)/(z + k).  A rational function of type
     (n, m) in z is one of type (max, max) in s with zeros at s = 1, so P is
     written as a polynomial in s times (1 - s)^(m - n): all the linear algebra
     happens in a well-conditioned Chebyshev basis.
  2. Start: iteratively reweighted linear least squares (Sanathanan-Koerner
     denominators times Lawson weights).
  3. Weighted rational Remez exchange (Newton on the levelled equations, in
     mpmath): minimises the largest relative error of g.
  4. Conversion to powers of z, rounded to float32.  The rounding itself costs
     accuracy, so the common factor of P and Q is chosen to round well, and a
     coordinate search over neighbouring floats minimises the relative error with
     the rounded coefficients.
"""
import sys
from math import comb
import mpmath as mp
import numpy as np
from numpy.polynomial import chebyshev as C

mp.mp.dps = 40
NODES = 1200


# ----------------------------------------------------------------- sampling ---
def sample(g, hi, k):
    """Nodes on z in [0, hi]: s (float), z (mpf), g(z) (mpf)."""
    shi = (hi - k) / (hi + k)
    s = (shi - 1) / 2 - (shi + 1) / 2 * np.cos(np.linspace(0, np.pi, NODES))
    z = [k * (1 + mp.mpf(v)) / (1 - mp.mpf(v)) for v in s]
    z[0] = mp.mpf(0)
    return s, z, [g(v) for v in z]


# -------------------------------------------------------- steps 2 and 3 -------
def bases(s, n, m):
    """Rows of the bases of P and Q, each divided by (z + k)^m up to a constant."""
    return (C.chebvander(s, n) * ((1 - s) ** (m - n))[:, None], C.chebvander(s, m))


def lawson(s, f, w, n, m, rounds=80):
    A, B = bases(s, n, m)
    weight, den, best = np.ones_like(s), np.ones_like(s), (np.inf, None)
    for i in range(rounds):
        M = np.hstack([A / f[:, None], -B]) * (w * np.sqrt(weight) / den)[:, None]
        scale = np.linalg.norm(M, axis=0)
        c = np.linalg.svd(M / scale, full_matrices=False)[2][-1] / scale
        c /= np.abs(c).max()
        num, q = A @ c[:n + 1], B @ c[n + 1:]
        if q[0] < 0:
            c, num, q = -c, -num, -q
        err = w * (num / q / f - 1)
        top = np.abs(err).max()
        if (q > 0).all() and top < best[0]:
            best = (top, c)
        den = np.maximum(np.abs(q), 1e-4 * np.abs(q).max())
        if i > 10:
            weight = np.maximum(weight * np.abs(err) / top, 1e-9)
            weight /= weight.mean()
    if best[1] is None:
        raise RuntimeError("no pole-free starting fit")
    return best


def extrema(err, count):
    """Indices of `count` alternating local extrema of err, or None."""
    idx, start = [], 0
    for i in range(1, len(err) + 1):
        if i == len(err) or (err[i] > 0) != (err[start] > 0):
            idx.append(start + int(np.argmax(np.abs(err[start:i]))))
            start = i
    while len(idx) > count:
        if len(idx) == count + 1:               # drop the smaller end
            idx.pop(0 if abs(err[idx[0]]) < abs(err[idx[-1]]) else -1)
        else:                                   # drop the smallest neighbouring pair
            j = min(range(len(idx) - 1),
                    key=lambda i: max(abs(err[idx[i]]), abs(err[idx[i + 1]])))
            del idx[j:j + 2]
    return idx if len(idx) == count else None


def remez(s, f, w, n, m, c, rounds=30):
    """Levelled weighted relative error, starting from the coefficients c."""
    A, B = bases(s, n, m)
    ff = np.array([float(v) for v in f])
    unknowns = n + m + 2
    top, best = np.inf, c
    for _ in range(rounds):
        q = B @ c[n + 1:]
        err = w * ((A @ c[:n + 1]) / q / ff - 1)
        if (q > 0).all() and np.abs(err).max() < top:
            top, best = np.abs(err).max(), c
        idx = extrema(err, unknowns)
        if idx is None:
            break
        if np.abs(err).max() < 1.0005 * np.abs(err[idx]).min():
            break
        # Newton: P - f (1 + sign E / w) Q = 0, the largest coefficient of Q held fixed
        fixed = n + 1 + int(np.argmax(np.abs(c[n + 1:])))
        free = [j for j in range(unknowns) if j != fixed]
        x = [mp.mpf(float(v)) for v in c]
        E = mp.mpf(float(np.mean(np.abs(err[idx]))) * np.sign(err[idx[0]]))
        rows = [([mp.mpf(float(v)) for v in A[i]], [mp.mpf(float(v)) for v in B[i]])
                for i in idx]
        for _ in range(12):
            J, r = mp.matrix(unknowns, unknowns), mp.matrix(unknowns, 1)
            for i, (a, b) in enumerate(rows):
                sign = (-1 if i % 2 else 1) / mp.mpf(float(w[idx[i]]))
                fi = f[idx[i]] * (1 + sign * E)
                q = mp.fdot(b, x[n + 1:])
                full = a + [-fi * v for v in b]
                for col, j in enumerate(free):
                    J[i, col] = full[j]
                J[i, unknowns - 1] = -sign * f[idx[i]] * q
                r[i] = -(mp.fdot(a, x[:n + 1]) - fi * q)
            d = mp.lu_solve(J, r)
            for col, j in enumerate(free):
                x[j] += d[col]
            E += d[unknowns - 1]
            if max(abs(v) for v in d) < mp.mpf(10) ** -25:
                break
        c = np.array([float(v) for v in x])
        if not np.isfinite(c).all():
            break
    return top, best


# ------------------------------------------------------------------ step 4 ----
def to_powers(cheb, shift, k, deg):
    """sum cheb_j T_j(s) (1 - s)^shift, times (z + k)^deg, as powers of z."""
    poly = C.cheb2poly(cheb)
    out = [mp.mpf(0)] * (deg - shift + 1)
    for j, a in enumerate(poly):                # s^j (z+k)^deg = (z-k)^j (z+k)^(deg-j)
        r = deg - shift - j
        for u in range(j + 1):
            for v in range(r + 1):
                out[u + v] += (mp.mpf(float(a)) * comb(j, u) * mp.mpf(-k) ** (j - u)
                               * comb(r, v) * mp.mpf(k) ** (r - v))
    return [v * mp.mpf(2 * k) ** shift for v in out]


def round_coefficients(P, Q, z, f, w, sweeps=30, seed=1):
    """float32 coefficients near a multiple of P, Q with small max |P/(Q f) - 1|."""
    zz = np.array([float(v) for v in z])
    ff = np.array([float(v) for v in f])
    n = len(P)
    exact = np.array([float(v) for v in P + Q])
    base = np.vander(zz, max(len(P), len(Q)), increasing=True)
    terms = np.hstack([base[:, :len(P)], base[:, :len(Q)]])
    rng = np.random.default_rng(seed)

    def error(num, den):
        return np.abs(w * (num / den / ff - 1)).max()

    def evaluate(c):
        return terms[:, :n] @ c[:n].astype(float), terms[:, n:] @ c[n:].astype(float)

    def search(c):
        num, den = evaluate(c)
        best = error(num, den)
        moves = [(j, d) for j in range(len(c)) for d in (-1, 1)]
        pairs = [(p, q) for p in moves for q in moves if p[0] < q[0]]
        for _ in range(sweeps):
            before = best
            chosen = [pairs[i] for i in rng.permutation(len(pairs))[:300]]
            for move in [(p,) for p in moves] + chosen:
                trial, tn, td = c.copy(), num, den
                for j, d in move:
                    trial[j] = np.nextafter(c[j], np.float32(d * np.inf))
                    delta = terms[:, j] * (float(trial[j]) - float(c[j]))
                    tn, td = (tn + delta, td) if j < n else (tn, td + delta)
                e = error(tn, td)
                if e < best:
                    best, c, num, den = e, trial, tn, td
            if best > 0.99 * before:
                break
        return best, c

    # P/Q does not depend on the common factor: take factors that round well
    starts = [(exact * u).astype(np.float32) for u in np.linspace(1, 2, 400, endpoint=False)]
    starts.sort(key=lambda c: error(*evaluate(c)))
    final, c = min((search(c) for c in starts[:6]), key=lambda r: r[0])
    return c[:n], c[n:], error(*evaluate(exact.astype(np.float32))), final


def fit(name, g, hi, k, n, m, note, at_zero=1, scale=1.0):
    s, z, f = sample(g, hi, k)
    # weight of the relative error: at_zero at z = 0, falling to 1 within z ~ 0.1
    w = np.array([1 + (at_zero - 1) / (1 + float(v) / 0.05) for v in z])
    start, c = lawson(s, np.array([float(v) for v in f]), w, n, m)
    level, c = remez(s, f, w, n, m, c)
    P = to_powers(c[:n + 1], m - n, k, m)
    Q = to_powers(c[n + 1:], 0, k, m)
    P, Q = [v / Q[0] for v in P], [v / Q[0] for v in Q]
    p, q, rounded, final = round_coefficients(P, Q, z, f, w)
    if at_zero != 1:                            # report the plain relative error
        final = max(abs(mp.polyval([float(v) for v in p[::-1]], x)
                        / mp.polyval([float(v) for v in q[::-1]], x) / y - 1)
                    for x, y in zip(z, f))
    print(f"// {note}\n// max relative error of P/Q with these float coefficients: "
          f"{float(final):.2e}")
    print(f"{name}: start {start:.2e}, minimax {level:.2e}, rounded {rounded:.2e}, "
          f"rounded and searched {float(final):.2e}", file=sys.stderr)
    for tag, co in (("p", p * np.float32(scale)), ("q", q * np.float32(scale))):
        body = ",\n    ".join(", ".join(f"{v:.9g}f" if "." in f"{v:.9g}" or "e" in f"{v:.9g}"
                                        else f"{v:.9g}.0f" for v in co[i:i + 5])
                              for i in range(0, len(co), 5))
        print(f"constexpr float {name}_{tag}[{len(co)}] = {{\n    {body}}};")
    print(flush=True)


# ------------------------------------------------------------------ targets ---
def i0(x): return mp.exp(-x) * mp.besseli(0, x)
def i1(x): return mp.exp(-x) * mp.besseli(1, x)


ZERO = mp.findroot(lambda x: i0(x) - i1(x) * (1 + 1 / x), 1.5)   # of i1e'
FAR = 8192          # beyond it the Bessel kernels use their asymptotic form


def erf_over_x(z):
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z else 2 / mp.sqrt(mp.pi)


def i1e_over_x_squared(x):
    return (i1(x) / x) ** 2 if x else mp.mpf(1) / 4


def i1e_deriv(x):
    return i0(x) - i1(x) * (1 + 1 / x) if x else mp.mpf(1) / 2


# name, smooth positive target, upper end of z, map parameter k, deg P, deg Q,
# comment, and optionally the weight of the error at zero and a factor for P and Q
KERNELS = [
    ("erf", erf_over_x, 3.925 ** 2, 3, 5, 5,
     "erf(x) = x P(z)/Q(z), z = x^2, 0 <= x <= 3.925; degrees 5/5"),
    ("erfc", lambda x: mp.exp(x * x) * mp.erfc(x), 10.1, 2, 4, 5,
     "erfc(x) = exp(-x^2) P(x)/Q(x), 0 <= x <= 10.1; degrees 4/5"),
    ("i0e", lambda x: i0(x) ** 2, FAR, 4, 7, 8,
     "i0e(x)^2 = P(x)/Q(x), 0 <= x <= 8192; degrees 7/8; the square root halves the error\n"
     "// (weighted fourfold at 0, which makes i0e(0) exactly 1)", 4),
    ("i1e", i1e_over_x_squared, FAR, 4, 6, 9,
     "(i1e(x)/x)^2 = P(x)/Q(x), 0 <= x <= 8192; degrees 6/9; the square root halves the error"),
    ("i0e_deriv", lambda x: (i0(x) - i1(x)) ** 2, FAR, 4, 7, 10,
     "i0e'(x)^2 = P(x)/Q(x), 0 < x <= 8192; degrees 7/10; the square root halves the error"),
    ("i1e_deriv", lambda x: (i1e_deriv(x) / (ZERO - x)) ** 2, FAR, 4, 7, 12,
     "(i1e'(x) / (zero - x))^2 = P(x)/Q(x), 0 <= x <= 8192; degrees 7/12; the square root\n"
     "// halves the error (P and Q are scaled by 2^-28, as Q would overflow at 8192)",
     1, 2.0 ** -28),
]



# -------------------------------------------------------------- polynomials ---
def fit_polynomial(name, g, weight, low, high, degree, note, rounds=60):
    """Weighted minimax polynomial by Lawson's iterated least squares: each round
    weighs a node more the larger its error was, until the errors level."""
    t = np.cos(np.linspace(0, np.pi, 4000))
    x = (low + high) / 2 + (high - low) / 2 * t
    y = np.array([float(g(mp.mpf(v))) for v in x])
    w = np.array([float(weight(mp.mpf(v))) for v in x])
    emphasis = np.ones(len(t)) / len(t)
    basis = C.chebvander(t, degree)
    for _ in range(rounds):
        root = np.sqrt(emphasis) * w
        c = np.linalg.lstsq(basis * root[:, None], y * root, rcond=None)[0]
        error = np.abs((basis @ c - y) * w)
        emphasis *= error
        emphasis /= emphasis.sum()
    powers = C.Chebyshev(c, domain=[low, high]).convert(kind=np.polynomial.Polynomial).coef
    print(f"// {note}\n// max relative error: {error.max():.2e}")
    print(f"constexpr float {name}[] = {{{', '.join(f'{v:.9g}f' for v in powers)}}};\n", flush=True)


def near(x): return abs(x) < mp.mpf("1e-6")


# name, target, weight that makes its error the relative one, interval, degree, comment
POLYNOMIALS = [
    ("exp2", lambda f: mp.log(2) if near(f) else (2 ** f - 1) / f,
     lambda f: 1 / mp.log(2) if near(f) else abs(f / (2 ** f - 1)), -0.5, 0.5, 5,
     "2^f - 1 = f P(f), |f| <= 1/2"),
    ("log", lambda f: mp.mpf(1) / 3 if near(f) else (mp.log1p(f) - f + f * f / 2) / f ** 3,
     lambda f: 0 if near(f) else abs(f ** 3 / mp.log1p(f)), float(mp.sqrt(0.5) - 1), float(mp.sqrt(2) - 1), 6,
     "log(1 + f) = f - f^2/2 + f^3 P(f), sqrt(1/2) <= 1 + f <= sqrt(2)"),
    ("arcsinh", lambda z: mp.mpf(-1) / 6 + 3 * z / 40 if near(z) else (mp.asinh(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3,
     lambda z: 0 if near(z) else mp.sqrt(z) ** 3 / mp.asinh(mp.sqrt(z)), 0, 0.5625, 5,
     "arcsinh(x) = x + x^3 P(z), z = x^2, |x| <= 0.75"),
    ("log1p", lambda e: 1 - e / 2 if near(e) else mp.log1p(e) / e,
     lambda e: 1 + e / 2 if near(e) else e / mp.log1p(e), 0, 1, 8,
     "log(1 + e) = e P(e), 0 <= e <= 1"),
]

if __name__ == "__main__":
    for polynomial in POLYNOMIALS:
        fit_polynomial(*polynomial)
    for kernel in KERNELS:
        fit(*kernel)
    high = np.float32(float(ZERO))
    print(f"// the positive zero of i1e', in two parts\n"
          f"constexpr float i1e_deriv_zero = {high:.9g}f, "
          f"i1e_deriv_zero_low = {np.float32(float(ZERO - float(high))):.9g}f;")
