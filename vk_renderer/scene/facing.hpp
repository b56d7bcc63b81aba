#pragma once
// From where one sees nothing but the backs of a part of a surface. Pure.

#include <optional>
#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// A cone in the mesh's own space: an eye in it lies behind the planes of all triangles.
struct Facing {
    glm::dvec3 apex{0.0};
    glm::dvec3 axis{0.0}; // where the triangles face; unit length
    double cutoff = 1.0;  // cosine of what the way from the eye to the apex may be off the axis
};

// Empty: the triangles face too many ways. `triangles`: vertices of the mesh.
std::optional<Facing> facing_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

// Where one looks from, in the space of the palette; `from_one_point`: in perspective.
struct Eye {
    glm::dvec3 place{0.0};
    glm::dvec3 direction{0.0}; // where it looks
    bool from_one_point = true;
};
bool shows_backs_alone(const Facing& facing, const scene::PaletteEntry& moved_by, const Eye& eye);

} // namespace vitrine::render
