#include "vk_renderer/scene/pack_scene.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/packing.hpp>

namespace vitrine::render {

namespace {

glm::vec2 project_octahedral(glm::vec3 n)
{
    // Normalizes by the largest component first, because the sum of three huge ones would overflow.
    const float largest = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z), 1e-37f});
    n /= largest;
    n /= std::max(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1e-30f);
    glm::vec2 e(n.x, n.y);
    if (n.z < 0.0f)
        e = {(1.0f - std::abs(n.y)) * (n.x >= 0.0f ? 1.0f : -1.0f),
             (1.0f - std::abs(n.x)) * (n.y >= 0.0f ? 1.0f : -1.0f)};
    return e;
}

glm::vec3 folded(glm::vec2 e)
{
    glm::vec3 n(e.x, e.y, 1.0f - std::abs(e.x) - std::abs(e.y));
    const float t = std::max(-n.z, 0.0f);
    n.x += n.x >= 0.0f ? -t : t;
    n.y += n.y >= 0.0f ? -t : t;
    return glm::normalize(n);
}

} // namespace

std::uint32_t encode_octahedral(glm::vec3 normal)
{
    return glm::packSnorm2x16(project_octahedral(normal));
}

glm::vec3 decode_octahedral(std::uint32_t packed)
{
    return folded(glm::unpackSnorm2x16(packed));
}

std::uint32_t encode_tangent(glm::vec4 tangent)
{
    const auto e = glm::round(project_octahedral(glm::vec3(tangent)) * glm::vec2(32767.0f, 16383.0f));
    const auto x = static_cast<std::uint32_t>(static_cast<std::int32_t>(e.x));
    const auto y = static_cast<std::uint32_t>(static_cast<std::int32_t>(e.y));
    return (x & 0xFFFFu) | (tangent.w < 0.0f ? 0x10000u : 0u) | y << 17;
}

glm::vec4 decode_tangent(std::uint32_t packed)
{
    const auto x = static_cast<std::int32_t>(packed << 16) >> 16;
    const auto y = static_cast<std::int32_t>(packed) >> 17;
    const glm::vec2 e(static_cast<float>(x) / 32767.0f, static_cast<float>(y) / 16383.0f);
    return {folded(e), (packed & 0x10000u) != 0 ? -1.0f : 1.0f};
}

} // namespace vitrine::render
