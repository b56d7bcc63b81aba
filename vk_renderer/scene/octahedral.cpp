#include "vk_renderer/scene/pack.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/packing.hpp>

namespace vitrine::render {

std::uint32_t encode_octahedral(glm::vec3 n)
{
    // Largest component first: the sum of three huge ones would overflow.
    const float largest = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z), 1e-37f});
    n /= largest;
    n /= std::max(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1e-30f);
    glm::vec2 e(n.x, n.y);
    if (n.z < 0.0f)
        e = {(1.0f - std::abs(n.y)) * (n.x >= 0.0f ? 1.0f : -1.0f),
             (1.0f - std::abs(n.x)) * (n.y >= 0.0f ? 1.0f : -1.0f)};
    return glm::packSnorm2x16(e);
}

glm::vec3 decode_octahedral(std::uint32_t packed)
{
    const auto e = glm::unpackSnorm2x16(packed);
    glm::vec3 n(e.x, e.y, 1.0f - std::abs(e.x) - std::abs(e.y));
    const float t = std::max(-n.z, 0.0f);
    n.x += n.x >= 0.0f ? -t : t;
    n.y += n.y >= 0.0f ? -t : t;
    return glm::normalize(n);
}

} // namespace vitrine::render
