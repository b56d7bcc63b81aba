#include "loaders/gltf/meshes/mesh_builder.hpp"

#include <algorithm>
#include <optional>

namespace vitrine::gltf {
namespace {

std::optional<glm::vec3> find_normal(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c)
{
    const glm::dvec3 cross = glm::cross(b - a, c - a);
    const double length = glm::length(cross);
    return length > 0.0 ? std::optional(glm::vec3(cross / length)) : std::nullopt;
}

// Returns the change of the normal of the triangle that starts at `first`.
glm::vec3 turn_of(const PrimitiveAttributes& flat, std::span<const glm::vec3> deltas, std::size_t first)
{
    const glm::vec3 none(0.0f);
    if (deltas[first] == none && deltas[first + 1] == none && deltas[first + 2] == none) return none;
    const auto moved = [&](std::size_t v) { return glm::dvec3(flat.positions[v]) + glm::dvec3(deltas[v]); };
    const auto normal = find_normal(moved(first), moved(first + 1), moved(first + 2));
    return normal ? *normal - flat.normals[first] : none;
}

} // namespace

void compute_flat_normals(PrimitiveAttributes& attributes)
{
    attributes.normals.resize(attributes.positions.size());
    for (std::size_t v = 0; v + 2 < attributes.positions.size(); v += 3) {
        const glm::vec3 normal =
            find_normal(glm::dvec3(attributes.positions[v]), glm::dvec3(attributes.positions[v + 1]),
                        glm::dvec3(attributes.positions[v + 2]))
                .value_or(glm::vec3(0.0f, 1.0f, 0.0f));
        std::fill_n(attributes.normals.begin() + static_cast<std::ptrdiff_t>(v), 3, normal);
    }
}

std::size_t repair_normals(PrimitiveAttributes& attributes, std::span<const std::uint32_t> triangles)
{
    auto& normals = attributes.normals;
    const auto none = [](const glm::vec3& normal) { return normal == glm::vec3(0.0f); };
    if (std::ranges::none_of(normals, none)) return 0;
    std::vector<glm::dvec3> sums(normals.size(), glm::dvec3(0.0));
    for (std::size_t t = 0; t + 3 <= triangles.size(); t += 3) {
        const auto corners = triangles.subspan(t, 3);
        const auto p = [&](std::size_t i) { return glm::dvec3(attributes.positions[corners[i]]); };
        for (const std::uint32_t v : corners)
            sums[v] += glm::cross(p(1) - p(0), p(2) - p(0));
    }
    std::size_t repaired = 0;
    const bool all = std::ranges::all_of(normals, none);
    for (std::size_t v = 0; v < normals.size(); ++v) {
        const double length = glm::length(sums[v]);
        if (!none(normals[v]) || !(length > 0.0)) continue;
        normals[v] = glm::vec3(sums[v] / length);
        ++repaired;
    }
    if (all) {
        normals.clear();
        attributes.tangents.clear(); // tangents are only valid with normals
    }
    return repaired;
}

DenseTarget flat_target(const PrimitiveAttributes& flat, const DenseTarget& target,
                        std::span<const std::uint32_t> corners)
{
    DenseTarget out;
    if (target.positions.empty()) return out;
    out.positions.reserve(corners.size());
    for (const std::uint32_t corner : corners)
        out.positions.push_back(target.positions[corner]);
    // Many targets, such as translations, change no normals: they get none.
    for (std::size_t v = 0; v + 2 < corners.size(); v += 3) {
        const glm::vec3 turn = turn_of(flat, out.positions, v);
        if (turn == glm::vec3(0.0f)) continue;
        out.normals.resize(corners.size(), glm::vec3(0.0f));
        std::fill_n(out.normals.begin() + static_cast<std::ptrdiff_t>(v), 3, turn);
    }
    return out;
}

} // namespace vitrine::gltf
