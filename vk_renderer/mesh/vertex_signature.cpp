#include "vk_renderer/mesh/vertex_signature.hpp"

#include <bit>

namespace vitrine::render {
// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
// 2014).
std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t z = a * 0x9e3779b97f4a7c15 + b;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

std::uint64_t mix_point(std::uint64_t hash, const glm::vec3& v)
{
    const auto bits = [](float f) { return std::bit_cast<std::uint32_t>(f + 0.0f); }; // -0 becomes 0
    hash = mix(hash, std::uint64_t{bits(v.x)} << 32 | bits(v.y));
    return mix(hash, bits(v.z));
}

std::vector<std::uint64_t> signatures(const scene::Mesh& mesh)
{
    const auto count = mesh.positions.size();
    std::vector<std::uint64_t> out(count);
    const auto& influences = mesh.influences;
    for (std::size_t v = 0; v < count; ++v) {
        auto hash = mix_point(1, mesh.positions[v]);
        for (std::uint32_t f = 0; f < mesh.frames.count; ++f)
            hash = mix_point(hash, mesh.frames.positions[f * count + v]);
        if (!influences.first.empty())
            for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i) {
                hash = mix(hash, std::uint64_t{influences.joints[i]} << 32 |
                                     std::bit_cast<std::uint32_t>(influences.weights[i]));
                if (!influences.positions.empty()) hash = mix_point(hash, influences.positions[i]);
            }
        out[v] = hash;
    }
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const auto& target = mesh.morph_targets[t];
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            if (target.position_deltas[i] != glm::vec3(0.0f))
                out[target.vertices[i]] =
                    mix_point(mix(out[target.vertices[i]], t), target.position_deltas[i]);
    }
    return out;
}

} // namespace vitrine::render
