#include "loaders/scene/flat_meshes.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace vitrine::scene {
namespace {

glm::vec3 normal_of(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c)
{
    const glm::dvec3 cross = glm::cross(b - a, c - a);
    const double length = glm::length(cross);
    return length > 0.0 ? glm::vec3(cross / length) : glm::vec3(0.0f, 1.0f, 0.0f);
}

template <class T>
void gather(Array<T>& values, std::span<const std::uint32_t> corners)
{
    if (values.empty()) return;
    std::vector<T> out;
    out.reserve(corners.size());
    for (const std::uint32_t corner : corners)
        out.push_back(values[corner]);
    values = std::move(out);
}

void expand(Mesh& mesh)
{
    std::vector<std::uint32_t> corners;
    corners.reserve(shaded_vertices(mesh));
    for (Primitive& primitive : mesh.primitives) {
        const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
        primitive.first = static_cast<std::uint32_t>(corners.size());
        corners.insert(corners.end(), indices.begin(), indices.end());
    }
    gather(mesh.positions, corners);
    gather(mesh.uv0, corners);
    gather(mesh.uv1, corners);
    gather(mesh.colors, corners);
    std::vector<glm::vec3> normals;
    normals.reserve(corners.size());
    for (std::size_t v = 0; v + 2 < corners.size(); v += 3)
        normals.insert(normals.end(), 3,
                       normal_of(mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]));
    mesh.normals = std::move(normals);
    std::iota(corners.begin(), corners.end(), 0u);
    mesh.indices = std::move(corners);
}

} // namespace

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

void expand_flat_meshes(Scene& scene)
{
    for (Mesh& mesh : scene.meshes)
        if (is_flat(mesh)) expand(mesh);
}

} // namespace vitrine::scene
