#pragma once
// Linear colors of overlays.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <glm/glm.hpp>

namespace vitrine::render {

// Linear colors at 0, 1/4, 1/2, 3/4 and 1.
inline constexpr std::array heat_colors{glm::vec3(0.012f, 0.02f, 0.13f), glm::vec3(0.0f, 0.22f, 0.62f),
                                        glm::vec3(0.03f, 0.5f, 0.08f), glm::vec3(0.9f, 0.55f, 0.01f),
                                        glm::vec3(0.8f, 0.02f, 0.01f)};

inline glm::vec3 heat_of(float weight)
{
    const float at = std::clamp(weight, 0.0f, 1.0f) * static_cast<float>(heat_colors.size() - 1);
    const auto step = std::min(static_cast<std::size_t>(at), heat_colors.size() - 2);
    return glm::mix(heat_colors[step], heat_colors[step + 1], at - static_cast<float>(step));
}

// Hues separated by the golden ratio, so that neighbors in the list differ strongly.
inline glm::vec3 joint_hue(std::uint32_t joint)
{
    const float hue = std::fmod(static_cast<float>(joint) * 0.6180340f, 1.0f) * 6.0f;
    const glm::vec3 c(std::abs(hue - 3.0f) - 1.0f, 2.0f - std::abs(hue - 2.0f), 2.0f - std::abs(hue - 4.0f));
    return glm::mix(glm::vec3(0.05f), glm::vec3(0.75f), glm::clamp(c, 0.0f, 1.0f));
}

} // namespace vitrine::render
