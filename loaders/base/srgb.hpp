#pragma once
// The curve of sRGB (IEC 61966-2-1) between what a screen shows and linear light. Alpha has no curve.

#include <cmath>
#include <concepts>

#include <glm/glm.hpp>

namespace vitrine::scene {

template <std::floating_point T>
T linear_from_srgb(T shown)
{
    return shown <= T(0.04045) ? shown / T(12.92) : std::pow((shown + T(0.055)) / T(1.055), T(2.4));
}

template <std::floating_point T>
glm::vec<3, T> linear_from_srgb(const glm::vec<3, T>& shown)
{
    return {linear_from_srgb(shown.x), linear_from_srgb(shown.y), linear_from_srgb(shown.z)};
}

template <std::floating_point T>
T srgb_from_linear(T light)
{
    return light <= T(0.0031308) ? light * T(12.92) : T(1.055) * std::pow(light, T(1.0) / T(2.4)) - T(0.055);
}

} // namespace vitrine::scene
