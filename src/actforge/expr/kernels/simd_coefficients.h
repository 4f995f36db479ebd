#pragma once

// Coefficients of the rational approximations in the float32 kernels, in ascending powers, and of the exports to
// languages without these functions. scripts/fit_kernels.py finds them (weighted minimax fits, rounded to float) and
// states the errors; the tests hold the kernels to the double-precision reference.

namespace actforge {

// 2^f - 1 = f P(f), |f| <= 1/2; relative error 1.1e-8.
inline constexpr float kExp2P[] = {0.693147188f,   0.240226498f,   0.0555035743f,
                                   0.00961823751f, 0.00133907358f, 0.000154035086f};

// log(1 + f) = f - f²/2 + f³ P(f), sqrt(1/2) <= 1 + f <= sqrt(2); 3.2e-8.
inline constexpr float kLogP[] = {0.333339108f, -0.25001337f,  0.199630619f, -0.165775847f,
                                  0.1491479f,   -0.142674893f, 0.0870036808f};

// arcsinh(x) = x + x³ P(z), z = x², |x| <= 0.75; 7.4e-9.
inline constexpr float kArcsinhP[] = {-0.166665814f, 0.0749689254f,  -0.0442599142f,
                                      0.0281447763f, -0.0153310144f, 0.00467644945f};

// log(1 + e) = e P(e), 0 <= e <= 1; 3.1e-8.
inline constexpr float kLog1pP[] = {0.99999997f,  -0.499994931f, 0.333190965f,   -0.24842979f,  0.191059928f,
                                    -0.13663214f, 0.0782255577f, -0.0295049869f, 0.00523262935f};

// erf(x) = x P(z)/Q(z), z = x², 0 <= x <= 3.925; relative error of P/Q 2.2e-8.
inline constexpr float kErfP[] = {1.26378465f,    0.213466272f,    0.0591017902f,
                                  0.00422531273f, 0.000319026469f, 2.29154648e-06f};
inline constexpr float kErfQ[] = {1.12f, 0.562512219f, 0.127885178f, 0.0167812947f, 0.0013035353f, 4.26135521e-05f};

// erfc(x) = e^(-x²) P(x)/Q(x), 0 <= x <= 10.1; 1.0e-8.
inline constexpr float kErfcP[] = {1.28499997f, 1.59137845f, 0.940133393f, 0.294556707f, 0.0421457402f};
inline constexpr float kErfcQ[] = {1.28499997f, 3.04134631f, 3.08691335f, 1.7031399f, 0.522122085f, 0.0747004822f};

// i0e(x)² = P(x)/Q(x), 0 <= x <= 8192; 1.2e-7, which the square root halves.
inline constexpr float kI0eP[] = {1.10749996f,   0.33098647f,    0.309638172f,    0.103402182f,
                                  0.0273805875f, 0.00738826022f, 0.000885395042f, 0.00025099222f};
inline constexpr float kI0eQ[] = {1.10749996f,  2.54598212f,   2.63296819f,    1.58748627f,   0.615878761f,
                                  0.159110904f, 0.0448970087f, 0.00516873086f, 0.00157703075f};

// (i1e(x)/x)² = P(x)/Q(x), 0 <= x <= 8192; 6.4e-8.
inline constexpr float kI1eP[] = {0.493125021f,   0.189625204f,    0.0910804421f,  0.0226300489f,
                                  0.00784350093f, 0.000260984409f, 0.000345327484f};
inline constexpr float kI1eQ[] = {1.97249997f,  4.70351458f,  5.33294392f,   3.79203534f,    1.87688112f,
                                  0.703217149f, 0.182209313f, 0.0519246347f, 0.00326722581f, 0.00216975645f};

// i0e'(x)² = P(x)/Q(x), 0 < x <= 8192; 2.0e-7. Direct, since i1e - i0e cancels.
inline constexpr float kI0eSlopeP[] = {1.27749979f,    -0.0734304786f, 0.112331025f,     0.0231862459f,
                                       0.00501673622f, 0.00159751426f, -5.06702381e-05f, 7.77573441e-05f};
inline constexpr float kI0eSlopeQ[] = {1.27750003f,   3.75903535f,    5.3221097f,    4.7802453f,
                                       3.05337191f,   1.38098204f,    0.5422346f,    0.0929295793f,
                                       0.0406024717f, -0.0027395098f, 0.00195425563f};

// (i1e'(x)/(root - x))² = P(x)/Q(x), 0 <= x <= 8192; 3.0e-8. Scaled by 2^-28, as Q would overflow.
inline constexpr float kI1eSlopeP[] = {5.52961232e-10f, 6.29697197e-11f, 3.45309337e-11f,  9.8205645e-12f,
                                       5.06047244e-13f, 6.76546818e-13f, -5.59597568e-14f, 1.61038582e-14f};
inline constexpr float kI1eSlopeQ[] = {5.28059907e-09f, 1.48885526e-08f,  2.03933812e-08f, 1.80250801e-08f,
                                       1.15392469e-08f, 5.57363045e-09f,  2.27589703e-09f, 5.7388605e-10f,
                                       2.48077364e-10f, -1.83891422e-12f, 1.83504323e-11f, -1.74651277e-12f,
                                       4.04734108e-13f};

// The positive root of i1e', in two parts.
inline constexpr float kI1eSlopeZero = 1.54512727f;
inline constexpr float kI1eSlopeZeroLow = -1.46133532e-8f;

// Beyond this, with errors O(1/x²): i_n e(x)² = 1/(2π(x + s)), s = -1/4 and 3/4 for n = 0 and 1; their slopes are
// -t^(3/2) with t = (8π)^(-1/3)/(x + s).
inline constexpr float kBesselFar = 8192.0f;
inline constexpr float kBesselFarValue = 0.159154943f;
inline constexpr float kBesselFarSlope = 0.341392032f;

}  // namespace actforge
