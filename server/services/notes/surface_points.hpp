#pragma once
// Points of the surface of a Scene that follow its skin. Any thread.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

// A point of an element (triangle, line or point) of a mesh, as a pick names it (loaders/scene/hit.hpp).
struct SurfacePoint {
    std::uint32_t node = scene::none; // that draws the mesh, of the file
    std::uint32_t mesh = scene::none;
    std::uint32_t primitive = 0;
    std::uint32_t triangle = 0;
    std::array<double, 3> barycentric{}; // sum 1

    bool operator==(const SurfacePoint&) const = default;
};

// What is wrong with the point in the scene; empty: the scene has it.
std::string surface_point_fault(const scene::Scene& scene, const SurfacePoint& point);

// A text that is equal for meshes whose elements join the same vertices, wherever those are; empty: there is
// no such mesh.
std::string topology_of(const scene::Scene& scene, std::uint32_t mesh);

using PointTrack = std::vector<glm::dvec3>; // meters, scene space

// Positions of each point, which the scene has, at each of the times; scene::none: the static pose, and
// `times` has one of any value. A node that does not draw the mesh any more is replaced by the first that
// does. Errors: too_large ("too_much_work": too many vertices times poses).
Result<std::vector<PointTrack>> follow_points(const scene::Scene& scene, std::span<const SurfacePoint> points,
                                              std::uint32_t clip, std::span<const double> times);

} // namespace vitrine::server
