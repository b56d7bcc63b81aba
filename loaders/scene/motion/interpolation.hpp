#pragma once
// Spherical interpolation of rotations for one double, or for a vector of doubles of which each belongs to
// another moment: the same operations in the same order, so both give the same result. Private to
// loaders/scene.
//
// The angle and the sines are polynomials, which vectorize. The weights of slerp differ by less than 1e-15
// from those of the C library's functions.

#include <cstddef>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi" // vectors as arguments: every function here is inlined

namespace vitrine::scene {

template <class T>
struct QuaternionOf {
    T x, y, z, w;
};

// In the order of glm::dot().
template <class T>
[[gnu::always_inline]] inline T dot(const QuaternionOf<T>& a, const QuaternionOf<T>& b)
{
    return (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z);
}

// c[0] + c[1] z + c[2] z^2 ... in Estrin's order, which is less than half as deep as Horner's.
template <class T>
[[gnu::always_inline]] inline T polynomial(T z, const double (&c)[11])
{
    const T z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    const T low = (c[0] + c[1] * z) + (c[2] + c[3] * z) * z2;
    const T middle = (c[4] + c[5] * z) + (c[6] + c[7] * z) * z2;
    const T high = (c[8] + c[9] * z) + c[10] * z2;
    return (low + middle * z4) + high * z8;
}

// sin x for |x| <= 1.6: the Taylor series; the first term that it lacks is less than 3e-18.
template <class T>
[[gnu::always_inline]] inline T short_sine(T x)
{
    constexpr double inverse_factorials[11] = {-1.0 / 6.0, // 3!
                                               1.0 / 120.0,
                                               -1.0 / 5040.0,
                                               1.0 / 362880.0,
                                               -1.0 / 39916800.0,
                                               1.0 / 6227020800.0,
                                               -1.0 / 1307674368000.0,
                                               1.0 / 355687428096000.0,
                                               -1.0 / 121645100408832000.0,
                                               1.0 / 51090942171709440000.0, // 21!
                                               0.0};
    const T z = x * x;
    return x + x * (z * polynomial(z, inverse_factorials));
}

// atan(y) for |y| <= tan(pi / 8): y times the Chebyshev interpolation of atan(y) / y in y^2, error 4e-17.
template <class T>
[[gnu::always_inline]] inline T short_arc_tangent(T y)
{
    constexpr double coefficients[11] = {
        0.99999999999999996525,  -0.33333333333328429531,  0.1999999999885322401,   -0.14285714180824769821,
        0.11111106174292616862,  -0.090907729316364781741, 0.076899514797424732076, -0.066402164139079668643,
        0.056882575707045081515, -0.043477874474668854776, 0.021132130889615401528};
    return y * polynomial(y * y, coefficients);
}

// The angle whose half has the tangent sine / cosine; 0 <= sine <= cosine, cosine > 0.
template <class T>
[[gnu::always_inline]] inline T double_angle(T sine, T cosine)
{
    constexpr double quarter_pi = 0.78539816339744830962, tangent = 0.41421356237309504880; // of pi / 8
    return quarter_pi + 2.0 * short_arc_tangent<T>((sine - tangent * cosine) / (cosine + tangent * sine));
}

template <class T>
[[gnu::always_inline]] inline T length_of(const QuaternionOf<T>& q)
{
    return __builtin_elementwise_sqrt(dot(q, q));
}

// From a to b along the shorter arc: sin((1 - t) a) / sin a, sin(t a) / sin a. The half angle is that between
// a - b and a + b, which is precise for nearly equal and nearly opposite quaternions. Lengths, which are 1
// within the tolerance of validate(), are interpolated too.
template <class T>
[[gnu::always_inline]] inline QuaternionOf<T> slerp_shortest(const QuaternionOf<T>& a, QuaternionOf<T> b, T t)
{
    const T zero{};
    const T one = T{} + 1.0;
    const T sign = dot(a, b) < zero ? -one : one;
    b = {b.x * sign, b.y * sign, b.z * sign, b.w * sign};
    const T angle = double_angle<T>(length_of<T>({a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}),
                                    length_of<T>({a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}));
    const T sine = short_sine(angle);
    const T scale = one / sine;
    const auto curved = sine > T{} + 1e-9;
    const T wa = curved ? short_sine<T>((one - t) * angle) * scale : one - t;
    const T wb = curved ? short_sine<T>(t * angle) * scale : t;
    return {a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

} // namespace vitrine::scene

#pragma clang diagnostic pop
