#pragma once
// Finds the smallest camera distance at which a model is visible. Pure functions.

#include <cstddef>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::render {

using Points = std::vector<glm::vec3>; // scene space, relative to some origin

scene::Aabb bounds_of_points(const Points& points);

// Returns the positions of the drawn vertices without outliers (loaders/scene/preview/outliers.hpp), relative
// to `origin`: one list for each clip time at which they can be framed. All vertices if there are at most
// `max_points` over all clip times; otherwise the corners of evenly chosen triangles, about `max_points` in
// total. `joints`: includes the skeleton's joints, as the overlay shows them.
std::vector<Points> visible_vertex_positions(const scene::Scene& scene, std::span<const ClipTime> clip_times,
                                             glm::dvec3 origin, std::size_t max_points, bool joints = false);

// Sets distance, target and framing of a view whose yaw, pitch and origin are set: all of `visible` is in the
// image with a margin, with its boxes if the view shows them, and all of `optional`, unless `visible` alone
// would be much larger. Leaves distance and target unchanged if the points coincide.
void fit(std::span<const Points> visible, std::span<const Points> optional, View& view);

// Moves the camera as near to one end of a long model as perspective allows with all of `points` visible.
// `end`, the points of that end alone, becomes the framed box.
void fit_along(const Points& points, const Points& end, View& view);

// Like fit(), for a camera that orbits `visible` at the view's pitch: the target is on the vertical axis
// through the center of its box.
void fit_orbit(std::span<const Points> visible, View& view);

// If the model is so long and thin that from the side it would be thinner than a pixel, sets the view to look
// along it from one end, with the other end leading away from the viewer, and returns true. Returns false for
// orthographic views and for line primitives, which are drawn with a width.
bool fit_elongated(const scene::Scene& scene, const Points& points, View& view);

} // namespace vitrine::render
