#include "loaders/scene/flat_meshes.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "loaders/scene/gather.hpp"

namespace vitrine::scene {
namespace {

std::vector<glm::vec3> flat_normals(std::span<const glm::vec3> positions)
{
    std::vector<glm::vec3> normals;
    normals.reserve(positions.size());
    for (std::size_t v = 0; v + 2 < positions.size(); v += 3)
        normals.insert(normals.end(), 3, flat_normal(positions[v], positions[v + 1], positions[v + 2]));
    return normals;
}

} // namespace

glm::vec3 flat_normal(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c)
{
    const glm::dvec3 cross = glm::cross(glm::dvec3(b) - glm::dvec3(a), glm::dvec3(c) - glm::dvec3(a));
    const double length = glm::length(cross);
    return length > 0.0 ? glm::vec3(cross / length) : glm::vec3(0.0f, 1.0f, 0.0f);
}

std::uint64_t shaded_vertices(const Mesh& mesh)
{
    if (!is_flat(mesh)) return mesh.positions.size();
    std::uint64_t corners = 0;
    for (const Primitive& primitive : mesh.primitives)
        corners += primitive.count;
    return corners;
}

bool may_be_flat(const Mesh& mesh)
{
    const auto is_of_triangles = [](const Primitive& p) { return p.topology == Topology::triangles; };
    return mesh.influences.first.empty() && mesh.influences.dual_quaternion_weights.empty() &&
           mesh.morph_targets.empty() && mesh.frames.count == 0 && mesh.tangents.empty() &&
           std::ranges::all_of(mesh.primitives, is_of_triangles);
}

Mesh expanded(const Mesh& flat)
{
    Mesh mesh{.name = flat.name,
              .primitives = flat.primitives,
              .morph_weights = flat.morph_weights,
              .shares_geometry = flat.shares_geometry};
    std::vector<std::uint32_t> corners;
    corners.reserve(shaded_vertices(flat));
    for (Primitive& primitive : mesh.primitives) {
        const auto indices = std::span(flat.indices).subspan(primitive.first, primitive.count);
        primitive.first = static_cast<std::uint32_t>(corners.size());
        corners.insert(corners.end(), indices.begin(), indices.end());
    }
    mesh.positions = gather(flat.positions, corners);
    mesh.uv0 = gather(flat.uv0, corners);
    mesh.uv1 = gather(flat.uv1, corners);
    for (const auto& uvs : flat.more_uvs)
        mesh.more_uvs.emplace_back(gather(uvs, corners));
    mesh.colors = gather(flat.colors, corners);
    mesh.normals = flat_normals(mesh.positions);
    std::iota(corners.begin(), corners.end(), 0u);
    mesh.indices = std::move(corners);
    return mesh;
}

void expand_flat_meshes(Scene& scene)
{
    for (Mesh& mesh : scene.meshes)
        if (is_flat(mesh)) mesh = expanded(mesh);
}

std::optional<Scene> with_normals(const Scene& scene)
{
    if (std::ranges::none_of(scene.meshes, is_flat)) return std::nullopt;
    std::optional<Scene> copy(scene);
    expand_flat_meshes(*copy);
    return copy;
}

} // namespace vitrine::scene
