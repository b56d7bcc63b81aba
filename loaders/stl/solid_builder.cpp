#include "loaders/stl/solid_builder.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"

namespace vitrine::stl {
namespace {

// Of the cosine of the angle between the stored normal and that of the corners: normals of smoothed exports
// differ, but do not point to the other side.
constexpr double reversed_cosine = -0.1;

glm::vec4 linear_color(std::uint32_t color)
{
    const auto part = [color](unsigned shift) { return static_cast<float>(color >> shift & 0xFFu) / 255.0f; };
    return {linear_from_srgb(part(0)), linear_from_srgb(part(8)), linear_from_srgb(part(16)), 1.0f};
}

} // namespace

void FacetFaults::report(io::WarningLog& warnings) const
{
    if (reversed_normals > 0)
        warnings.add("stl_reversed_normals",
                     fmt::format("{} facets have a normal that is opposite to their winding, which is used",
                                 reversed_normals),
                     first_reversed);
    if (invalid_numbers > 0)
        warnings.add(
            "stl_invalid_numbers",
            fmt::format("{} facets have a position that is not finite; they are ignored", invalid_numbers),
            first_invalid);
}

bool SolidBuilder::is_finite(std::span<const glm::vec3, 3> corners)
{
    for (const glm::vec3& corner : corners)
        if (!std::isfinite(corner.x) || !std::isfinite(corner.y) || !std::isfinite(corner.z)) return false;
    return true;
}

bool SolidBuilder::is_reversed(std::span<const glm::vec3, 3> corners, const glm::vec3& normal)
{
    const glm::dvec3 a(corners[0]), stored(normal);
    const glm::dvec3 across = glm::cross(glm::dvec3(corners[1]) - a, glm::dvec3(corners[2]) - a);
    return glm::dot(across, stored) < reversed_cosine * glm::length(across) * glm::length(stored);
}

void SolidBuilder::add_corner(const glm::vec3& corner, std::uint32_t color)
{
    const glm::vec3 place = corner + 0.0f; // no negative zero
    indices_.push_back(
        vertices_.find_or_add({std::bit_cast<std::uint32_t>(place.x), std::bit_cast<std::uint32_t>(place.y),
                               std::bit_cast<std::uint32_t>(place.z), has_colors_ ? color : 0}));
}

scene::Mesh SolidBuilder::finish(std::string name)
{
    scene::Mesh mesh;
    mesh.name = std::move(name);
    mesh.positions.reserve(vertices_.size());
    if (has_colors_) mesh.colors.reserve(vertices_.size());
    for (const auto& [x, y, z, color] : vertices_.keys()) {
        mesh.positions.push_back({std::bit_cast<float>(x), std::bit_cast<float>(y), std::bit_cast<float>(z)});
        if (has_colors_) mesh.colors.push_back(linear_color(color));
    }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(indices_.size())});
    mesh.indices = std::exchange(indices_, {});
    vertices_ = {};
    return mesh;
}

} // namespace vitrine::stl
