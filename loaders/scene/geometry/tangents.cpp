#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "loaders/base/checksum.hpp"
#include "loaders/base/unit_vector.hpp"
#include "loaders/scene/geometry/copy_vertices.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/geometry/triangles.hpp"

namespace vitrine::scene {
namespace {

// Orientation of the texture on faces: unmirrored, mirrored, or, as bits of a vertex, both.
namespace side {
constexpr std::uint8_t undefined = 0; // no direction: zero area in UV space or 3D space
constexpr std::uint8_t regular = 1;
constexpr std::uint8_t mirrored = 2;
constexpr std::uint8_t mixed = 3;
} // namespace side

// A face's edges from its first corner. v points down in uv0 and up in tangent space.
struct FaceEdges {
    glm::dvec3 ab, ac;
    glm::dvec2 uv_ab, uv_ac;

    FaceEdges(const Mesh& mesh, const Triangle& t)
        : ab(glm::dvec3(mesh.positions[t[1]]) - glm::dvec3(mesh.positions[t[0]])),
          ac(glm::dvec3(mesh.positions[t[2]]) - glm::dvec3(mesh.positions[t[0]])),
          uv_ab(up(mesh.uv0[t[1]]) - up(mesh.uv0[t[0]])), uv_ac(up(mesh.uv0[t[2]]) - up(mesh.uv0[t[0]]))
    {
    }

    std::uint8_t side() const
    {
        const double area = uv_ab.x * uv_ac.y - uv_ac.x * uv_ab.y;
        if (area == 0.0 || glm::cross(ab, ac) == glm::dvec3(0.0)) return side::undefined;
        return area < 0.0 ? side::mirrored : side::regular;
    }

    // Direction of increasing u; not normalized.
    glm::dvec3 direction() const
    {
        return (ab * uv_ac.y - ac * uv_ab.y) * (side() == side::mirrored ? -1.0 : 1.0);
    }

private:
    static glm::dvec2 up(const glm::vec2& uv) { return {double{uv.x}, -double{uv.y}}; }
};

// By vertex: the orientations of its faces. A vertex with both that is not `given` is split first; its copy
// is assigned to the mirrored faces.
std::vector<std::uint8_t> split_mirrored(Mesh& mesh, const std::vector<bool>& given)
{
    const std::size_t count = mesh.positions.size();
    std::vector<std::uint8_t> sides(count, side::undefined);
    for_each_triangle(mesh, [&](const Triangle& t) {
        const std::uint8_t side = FaceEdges(mesh, t).side();
        for (const std::uint32_t v : t)
            sides[v] |= side;
    });
    std::vector<std::uint32_t> split, copy_of(count, none);
    for (std::uint32_t v = 0; v < count; ++v) {
        if (sides[v] != side::mixed || (!given.empty() && given[v])) continue;
        sides[v] = side::regular;
        copy_of[v] = static_cast<std::uint32_t>(count + split.size());
        split.push_back(v);
    }
    if (split.empty()) return sides;
    for_each_triangle_at(mesh, [&](std::size_t i) {
        const auto corners = std::span(mesh.indices).subspan(i, 3);
        if (std::ranges::any_of(corners, [&](std::uint32_t v) { return v >= count; })) return;
        if (FaceEdges(mesh, {corners[0], corners[1], corners[2]}).side() != side::mirrored) return;
        for (std::uint32_t& v : corners)
            v = copy_of[v] != none ? copy_of[v] : v;
    });
    append_copies(mesh, split);
    sides.resize(mesh.positions.size(), side::mirrored);
    return sides;
}

// Key for vertices that MikkTSpace treats as one, although a file may store them separately.
using VertexKey = std::array<std::uint32_t, 9>;

VertexKey key_of(const Mesh& mesh, std::uint8_t side, std::uint32_t v)
{
    // -0 becomes 0
    const auto bits = [](float number) { return std::bit_cast<std::uint32_t>(number + 0.0f); };
    const glm::vec3 &p = mesh.positions[v], &n = mesh.normals[v];
    const glm::vec2& uv = mesh.uv0[v];
    return {bits(p.x), bits(p.y), bits(p.z), bits(n.x), bits(n.y), bits(n.z), bits(uv.x), bits(uv.y), side};
}

struct VertexGroups {
    std::vector<std::uint32_t> of; // group by vertex
    std::size_t count = 0;
};

// Sorted by hash first, which is fast, and by key for equal hashes, which keeps the cost at n log n for any
// file.
VertexGroups group_equal(const Mesh& mesh, const std::vector<std::uint8_t>& sides)
{
    struct HashedVertex {
        std::uint64_t hash;
        std::uint32_t vertex;
    };
    std::vector<HashedVertex> entries(mesh.positions.size());
    for (std::uint32_t v = 0; v < entries.size(); ++v) {
        const VertexKey words = key_of(mesh, sides[v], v);
        entries[v] = {checksum(std::as_bytes(std::span(words))), v};
    }
    const auto key = [&](const HashedVertex& e) { return key_of(mesh, sides[e.vertex], e.vertex); };
    std::ranges::sort(entries, [&](const HashedVertex& a, const HashedVertex& b) {
        return a.hash != b.hash ? a.hash < b.hash : key(a) < key(b);
    });
    VertexGroups groups{std::vector<std::uint32_t>(entries.size()), 0};
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool again =
            i > 0 && entries[i].hash == entries[i - 1].hash && key(entries[i]) == key(entries[i - 1]);
        if (!again) ++groups.count;
        groups.of[entries[i].vertex] = static_cast<std::uint32_t>(groups.count - 1);
    }
    return groups;
}

glm::dvec3 in_plane(const glm::dvec3& v, const glm::dvec3& normal)
{
    return v - normal * glm::dot(normal, v);
}

// Adds one face: the direction of increasing u in each corner's tangent plane, weighted by the corner's angle
// in that plane.
void add_face(const Mesh& mesh, const Triangle& t, const VertexGroups& groups, std::vector<glm::dvec3>& sums)
{
    const FaceEdges face(mesh, t);
    if (face.side() == side::undefined) return;
    const glm::dvec3 along = face.direction();
    const std::array<glm::dvec3, 3> onwards{face.ab, face.ac - face.ab, -face.ac};
    for (std::size_t c = 0; c < 3; ++c) {
        const glm::dvec3 normal(mesh.normals[t[c]]);
        const glm::dvec3 direction = unit_or(in_plane(along, normal), glm::dvec3(0.0));
        const double angle =
            angle_between(in_plane(onwards[c], normal), in_plane(-onwards[(c + 2) % 3], normal));
        sums[groups.of[t[c]]] += direction * angle;
    }
}

glm::dvec3 any_tangent(const glm::dvec3& normal)
{
    const glm::dvec3 axis = std::abs(normal.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
    return unit_or(in_plane(axis, normal), glm::dvec3(1, 0, 0));
}

} // namespace

void compute_tangents(Mesh& mesh, const std::vector<bool>& given)
{
    const std::size_t count = mesh.positions.size();
    assert(given.empty() || (given.size() == count && mesh.tangents.size() == count));
    if (mesh.normals.size() != count || mesh.uv0.size() != count) return;
    mesh.tangents.resize(count);
    const std::vector<std::uint8_t> sides = split_mirrored(mesh, given);
    const VertexGroups groups = group_equal(mesh, sides);
    std::vector<glm::dvec3> sums(groups.count, glm::dvec3(0.0));
    for_each_triangle(mesh, [&](const Triangle& t) { add_face(mesh, t, groups, sums); });
    for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
        if (v < given.size() && given[v]) continue;
        const glm::dvec3 tangent = unit_or(sums[groups.of[v]], any_tangent(glm::dvec3(mesh.normals[v])));
        mesh.tangents[v] = glm::vec4(glm::vec3(tangent), sides[v] == side::mirrored ? -1.0f : 1.0f);
    }
}

void flip_winding(Mesh& mesh)
{
    for_each_triangle_at(mesh, [&](std::size_t i) { std::swap(mesh.indices[i + 1], mesh.indices[i + 2]); });
}

} // namespace vitrine::scene
