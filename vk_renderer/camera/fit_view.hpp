#pragma once
// As near as a view may come to what it shows. Pure: no device.

#include <cstddef>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "vk_renderer/base/types.hpp"

namespace vitrine::render {

using Points = std::vector<glm::vec3>; // scene space, from some origin

scene::Aabb box_of(const Points& points);

// Where the vertices that are drawn are, but for outliers (scene/outliers.hpp), measured from `origin`, a
// list for each moment at which they can be framed at all. All of them where they are no more than `most`
// over all moments; otherwise the corners of about as many triangles as make so many, evenly chosen.
// `joints`: the skeleton's too, as its overlay shows them.
std::vector<Points> points_at(const scene::Scene& scene, std::span<const Moment> moments, glm::dvec3 origin,
                              std::size_t most, bool joints = false);

// Sets distance, target and framing of a view whose yaw and pitch, and origin, are chosen: all of `shown` is
// in the picture with a margin, with its boxes where the view shows these; and all of `more`, unless `shown`
// alone fills much more of the picture. Points that make a point leave distance and target as they are.
void fit(std::span<const Points> shown, std::span<const Points> more, View& view);

// As near to one end of a long thing as shows all of `points` with perspective: the end is large and the rest
// runs away from it. `end`, the points of that end alone, becomes what is framed.
void fit_along(const Points& points, const Points& end, View& view);

// The same as fit() for a camera that goes all the way round `shown` at the view's pitch: the target stands
// on the upright line through the middle of its box.
void fit_orbit(std::span<const Points> shown, View& view);

} // namespace vitrine::render
