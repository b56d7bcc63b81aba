#include "vk_renderer/scene/facing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

#include "loaders/scene/disjoint_sets.hpp"

namespace vitrine::render {
namespace {

// The sum of a sheet's normals by their areas is about as long as its area; that of a closed body is nothing,
// that of a half sphere a half.
constexpr double like_a_sheet = 0.75;

struct Face {
    glm::dvec3 middle, normal; // as long as its area
};

Face face_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangle)
{
    const glm::dvec3 a(mesh.positions[triangle[0]]), b(mesh.positions[triangle[1]]),
        c(mesh.positions[triangle[2]]);
    return {(a + b + c) / 3.0, 0.5 * glm::cross(b - a, c - a)};
}

// What tells whether a part turns its faces outward.
struct Part {
    double area = 0.0;
    glm::dvec3 normals{0.0}, middles{0.0}; // by area
    double outward = 0.0;                  // of middles . normals

    void add(const Face& face)
    {
        const double size = glm::length(face.normal);
        area += size;
        normals += face.normal;
        middles += size * face.middle;
        outward += glm::dot(face.middle, face.normal);
    }

    bool is_seen_through() const
    {
        if (!(area > 0.0)) return false;
        // Measured from its own middle: what is open has no other inside.
        const double flux = outward - glm::dot(middles / area, normals);
        return !(flux > 0.0) || glm::length(normals) > like_a_sheet * area;
    }
};

// By corner, of `triangles`, a number of the part that it is of. Vertices at one place are one.
std::vector<std::uint32_t> parts_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    std::vector<std::uint32_t> order(triangles.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto bits = [&](std::uint32_t corner) {
        const auto& at = mesh.positions[triangles[corner]];
        return std::array{std::bit_cast<std::uint32_t>(at.x), std::bit_cast<std::uint32_t>(at.y),
                          std::bit_cast<std::uint32_t>(at.z)};
    };
    std::ranges::sort(order, {}, bits);
    scene::DisjointSets sets(triangles.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        if (bits(order[i - 1]) == bits(order[i])) sets.join(order[i - 1], order[i]);
    for (std::uint32_t corner = 0; corner < triangles.size(); ++corner)
        sets.join(corner, corner / 3 * 3);
    for (std::uint32_t corner = 0; corner < triangles.size(); ++corner)
        order[corner] = sets.find(corner);
    return order;
}

} // namespace

std::vector<bool> seen_through(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles,
                               std::size_t most)
{
    const std::size_t count = triangles.size() / 3;
    const auto part_of = count > most ? std::vector(triangles.size(), 0u) : parts_of(mesh, triangles);
    std::map<std::uint32_t, Part> parts;
    for (std::size_t t = 0; t < count; ++t)
        parts[part_of[3 * t]].add(face_of(mesh, triangles.subspan(3 * t, 3)));
    std::map<std::uint32_t, bool> through;
    for (const auto& [number, part] : parts)
        through.emplace(number, part.is_seen_through());
    if (std::ranges::none_of(through, &std::pair<const std::uint32_t, bool>::second)) return {};
    std::vector<bool> out(count);
    for (std::size_t t = 0; t < count; ++t)
        out[t] = through.at(part_of[3 * t]);
    return out;
}

} // namespace vitrine::render
