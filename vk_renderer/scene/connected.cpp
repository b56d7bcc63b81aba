#include "vk_renderer/scene/connected.hpp"

#include <array>
#include <bit>
#include <random>

#include "loaders/scene/disjoint_sets.hpp"

namespace vitrine::render {
namespace {

using Place = std::array<std::uint32_t, 3>;

Place place_of(const glm::vec3& at)
{
    const auto bits = [](float f) { return std::bit_cast<std::uint32_t>(f + 0.0f); }; // -0 is 0
    return {bits(at.x), bits(at.y), bits(at.z)};
}

// The first corner at each place, by open addressing. Another seed in each process: no file can know which
// places fall together.
class Places {
public:
    Places(const scene::Mesh& mesh, std::span<const std::uint32_t> corners)
        : mesh_(mesh), corners_(corners), slots_(std::bit_ceil(2 * corners.size() + 1), scene::none)
    {
    }

    std::uint32_t first_at(std::uint32_t corner)
    {
        const auto place = place_of(mesh_.positions[corners_[corner]]);
        for (auto slot = hash(place);; ++slot) {
            auto& first = slots_[slot & (slots_.size() - 1)];
            if (first == scene::none) return first = corner;
            if (corners_[first] == corners_[corner] || place_of(mesh_.positions[corners_[first]]) == place)
                return first;
        }
    }

private:
    // By the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
    // Generators", 2014).
    static std::size_t hash(const Place& place)
    {
        static const std::uint64_t seed =
            std::uint64_t{std::random_device()()} << 32 | std::random_device()();
        std::uint64_t z = seed;
        for (const auto word : place) {
            z = (z ^ word) * 0xbf58476d1ce4e5b9;
            z = (z ^ z >> 27) * 0x94d049bb133111eb;
            z ^= z >> 31;
        }
        return z;
    }

    const scene::Mesh& mesh_;
    std::span<const std::uint32_t> corners_;
    std::vector<std::uint32_t> slots_;
};

} // namespace

ConnectedParts connected_parts(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    const auto count = static_cast<std::uint32_t>(triangles.size() / 3);
    Places places(mesh, triangles.first(std::size_t{3} * count));
    scene::DisjointSets sets(count); // of triangles
    for (std::uint32_t corner = 0; corner < 3 * count; ++corner)
        sets.join(corner / 3, places.first_at(corner) / 3);
    ConnectedParts parts;
    std::vector<std::uint32_t> number(count, scene::none); // by set
    parts.of.reserve(count);
    for (std::uint32_t triangle = 0; triangle < count; ++triangle) {
        auto& part = number[sets.find(triangle)];
        if (part == scene::none) part = parts.count++;
        parts.of.push_back(part);
    }
    return parts;
}

} // namespace vitrine::render
