#pragma once
// Colours in COLLADA are what a screen shows (sRGB); the Scene's are linear.

#include <algorithm>
#include <cmath>

#include <glm/glm.hpp>

#include "loaders/dae/sources.hpp"

namespace vitrine::dae {

inline float to_linear(float srgb)
{
    const float c = std::clamp(srgb, 0.0f, 1.0f);
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

inline glm::vec3 to_linear(const glm::vec3& srgb)
{
    return {to_linear(srgb.x), to_linear(srgb.y), to_linear(srgb.z)};
}

inline glm::vec4 vertex_colour(const FloatSource& source, std::uint32_t i)
{
    const float alpha = source.components() > 3 ? std::clamp(source.at(i, 3), 0.0f, 1.0f) : 1.0f;
    return {to_linear(source.vec3(i)), alpha};
}

} // namespace vitrine::dae
