#pragma once
// The sRGB transfer function (IEC 61966-2-1) between encoded and linear values. Alpha is linear.

#include <cmath>
#include <concepts>

#include <glm/glm.hpp>

namespace vitrine {

template <std::floating_point T>
T linear_from_srgb(T encoded)
{
    return encoded <= T(0.04045) ? encoded / T(12.92) : std::pow((encoded + T(0.055)) / T(1.055), T(2.4));
}

template <std::floating_point T>
glm::vec<3, T> linear_from_srgb(const glm::vec<3, T>& encoded)
{
    return {linear_from_srgb(encoded.x), linear_from_srgb(encoded.y), linear_from_srgb(encoded.z)};
}

template <std::floating_point T>
T srgb_from_linear(T linear)
{
    return linear <= T(0.0031308) ? linear * T(12.92)
                                  : T(1.055) * std::pow(linear, T(1.0) / T(2.4)) - T(0.055);
}

} // namespace vitrine
