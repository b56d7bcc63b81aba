#pragma once
// A polygon that crosses itself so often that triangulation reaches the bound of its work.

#include <cstdint>
#include <random>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::test {

inline constexpr std::size_t crossing_corners = 2'000;

// Its corners in order, at random whole numbers from 0 to 1999 in the plane z = 0.
inline std::vector<glm::vec3> crossing_outline()
{
    std::minstd_rand random(3);
    std::vector<glm::vec3> corners(crossing_corners);
    for (glm::vec3& corner : corners) {
        corner.x = static_cast<float>(random() % 2'000);
        corner.y = static_cast<float>(random() % 2'000);
    }
    return corners;
}

} // namespace vitrine::test
