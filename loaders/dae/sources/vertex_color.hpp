#pragma once
// Colors in COLLADA are display colors (sRGB); those of the Scene are linear.

#include <algorithm>

#include <glm/glm.hpp>

#include "loaders/base/srgb.hpp"
#include "loaders/dae/sources/sources.hpp"

namespace vitrine::dae {

inline glm::vec3 to_linear(const glm::vec3& srgb)
{
    return linear_from_srgb(glm::clamp(srgb, 0.0f, 1.0f));
}

inline glm::vec4 vertex_color(const FloatSource& source, std::uint32_t i)
{
    const float alpha = source.components() > 3 ? std::clamp(source.at(i, 3), 0.0f, 1.0f) : 1.0f;
    return {to_linear(source.vec3(i)), alpha};
}

} // namespace vitrine::dae
