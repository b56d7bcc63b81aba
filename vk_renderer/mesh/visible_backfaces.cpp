#include "vk_renderer/mesh/visible_backfaces.hpp"

#include <algorithm>

#include "vk_renderer/mesh/connected_components.hpp"

namespace vitrine::render {
namespace {

// Ratio of the length of the area-weighted normal sum to the area: about 1 for a sheet, 0 for a closed body,
// 0.5 for a hemisphere.
constexpr double min_sheet_ratio = 0.75;

struct FaceInfo {
    glm::dvec3 center, normal; // length of the normal: the area
};

FaceInfo face_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangle)
{
    const glm::dvec3 a(mesh.positions[triangle[0]]), b(mesh.positions[triangle[1]]),
        c(mesh.positions[triangle[2]]);
    return {(a + b + c) / 3.0, 0.5 * glm::cross(b - a, c - a)};
}

// Sums that decide whether a component has outward normals.
struct Component {
    double area = 0.0;
    glm::dvec3 normals{0.0}, centers{0.0}; // area-weighted
    double outward = 0.0;                  // of centers . normals

    void add(const FaceInfo& face)
    {
        const double size = glm::length(face.normal);
        area += size;
        normals += face.normal;
        centers += size * face.center;
        outward += glm::dot(face.center, face.normal);
    }

    bool has_transparency() const
    {
        if (!(area > 0.0)) return false;
        // Relative to the component's own center: an open component has no other interior point.
        const double flux = outward - glm::dot(centers / area, normals);
        return !(flux > 0.0) || glm::length(normals) > min_sheet_ratio * area;
    }
};

} // namespace

std::vector<bool> visible_backfaces(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles,
                                    std::size_t max_components)
{
    const std::size_t count = triangles.size() / 3;
    const auto parts = count > max_components ? ConnectedComponents{std::vector(count, 0u), 1}
                                              : connected_components(mesh, triangles);
    std::vector<Component> sums(parts.count);
    for (std::size_t t = 0; t < count; ++t)
        sums[parts.of[t]].add(face_of(mesh, triangles.subspan(3 * t, 3)));
    if (std::ranges::none_of(sums, &Component::has_transparency)) return {};
    std::vector<bool> through, out;
    for (const auto& sum : sums)
        through.push_back(sum.has_transparency());
    for (const auto part : parts.of)
        out.push_back(through[part]);
    return out;
}

} // namespace vitrine::render
