#include "vk_renderer/mesh/weld_vertices.hpp"

#include <bit>
#include <limits>
#include <random>

#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t empty_slot = std::numeric_limits<std::uint32_t>::max();

std::uint64_t seed()
{
    static const std::uint64_t chosen = std::uint64_t{std::random_device()()} << 32 | std::random_device()();
    return chosen;
}

} // namespace

Weld weld(std::span<const std::uint64_t> keys)
{
    Weld out;
    out.points.resize(keys.size());
    std::vector<std::uint32_t> first_corner;                                          // by point
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * keys.size() + 1), empty_slot); // points
    for (std::uint32_t corner = 0; corner < keys.size(); ++corner) {
        for (std::uint64_t at = mix(keys[corner] ^ seed(), seed());; ++at) {
            auto& point = slots[at & (slots.size() - 1)];
            if (point == empty_slot) {
                point = static_cast<std::uint32_t>(first_corner.size());
                first_corner.push_back(corner);
            }
            out.points[corner] = point;
            if (keys[first_corner[point]] == keys[corner]) break;
        }
    }
    out.first.assign(first_corner.size() + 1, 0);
    for (const auto point : out.points)
        ++out.first[point + 1];
    for (std::size_t point = 1; point < out.first.size(); ++point)
        out.first[point] += out.first[point - 1];
    out.corners.resize(keys.size());
    auto next = out.first;
    for (std::uint32_t corner = 0; corner < keys.size(); ++corner)
        out.corners[next[out.points[corner]]++] = corner;
    return out;
}

} // namespace vitrine::render
