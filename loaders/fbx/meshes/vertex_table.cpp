#include "loaders/fbx/meshes/vertex_table.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>

#include "loaders/base/srgb.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::fbx {
namespace {

// Returns the vertices' positions. Moves the source's when vertices and control points are identical.
std::vector<glm::vec3> positions_of(std::span<const std::uint32_t> vertices, std::vector<glm::vec3> points)
{
    if (std::ranges::equal(vertices, std::views::iota(std::size_t{0}, points.size()))) return points;
    std::vector<glm::vec3> positions;
    io::reserve_large(positions, vertices.size());
    for (const std::uint32_t point : vertices)
        positions.push_back(points[point]);
    return positions;
}

} // namespace

std::size_t MoreUvValues::Hash::operator()(const SetCoordinates& values) const
{
    std::uint64_t hash = io::hash_seed();
    for (const glm::vec2& uv : values)
        hash = (hash ^ std::bit_cast<std::uint64_t>(uv + 0.0f) ^ hash >> 29) * 0xBF58'476D'1CE4'E5B9u;
    return hash ^ hash >> 32;
}

std::uint32_t MoreUvValues::find_or_add(std::span<const ValueLayer* const> layers, const CornerPlace& place)
{
    SetCoordinates values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = uv_of(layers[scene::first_more_uvs + i], place);
    const auto [found, is_new] = numbers_.try_emplace(values, static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(values);
    return found->second;
}

void MoreUvValues::write(std::span<const std::uint32_t> numbers, std::size_t sets, scene::Mesh& mesh) const
{
    mesh.more_uvs.resize(sets);
    for (std::size_t set = 0; set < sets; ++set) {
        mesh.more_uvs[set].reserve(numbers.size());
        for (const std::uint32_t number : numbers)
            mesh.more_uvs[set].push_back(values_[number][set]);
    }
}

std::vector<std::uint32_t> VertexTable::take_streams(std::vector<glm::vec3> points, scene::Mesh& mesh)
{
    std::vector<std::uint32_t>().swap(heads_);
    std::vector<std::uint32_t>().swap(next_);
    mesh.normals = std::move(normals_);
    mesh.uv0 = std::move(uv0_);
    mesh.uv1 = std::move(uv1_);
    mesh.colors = std::move(colors_);
    mesh.positions = positions_of(control_points_, std::move(points));
    for (glm::vec3& normal : mesh.normals) {
        const float squared = glm::dot(normal, normal);
        if (std::abs(squared - 1.0f) < 4e-7f)
            continue; // already normalized, as in most files; testing is faster
        const float length = std::sqrt(squared);
        if (length > 0.0f && std::isfinite(length)) normal /= length;
    }
    for (glm::vec4& color : mesh.colors) {
        for (glm::length_t c = 0; c < 3; ++c)
            color[c] = linear_from_srgb(std::max(color[c], 0.0f));
        color.w = std::clamp(color.w, 0.0f, 1.0f);
    }
    return std::move(control_points_);
}

} // namespace vitrine::fbx
