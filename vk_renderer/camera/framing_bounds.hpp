#pragma once
// Chooses the times at which a clip is measured, so that all of the model stays in the image. Pure functions.

#include <cstddef>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// Returns at least 30 times per second including every key (see scene::sample_times). Fewer for clips so long
// or models so large that skinning them all would take seconds. Seconds from the clip's start.
std::vector<double> framing_times(const scene::Clip& clip, std::size_t vertices, bool software);

// As above, of layers: evenly spaced from 0 to their end, 30 times per second; once if the pose is constant.
std::vector<double> framing_times(const scene::Scene& scene, const scene::AnimationLayers& layers,
                                  std::size_t vertices, bool software);

// Returns the box of the skeleton's joints over the clip or layers of `motion` (its time is not used), at
// both ends and as many times in between as are cheap; relative to `origin`.
scene::Aabb joint_box(const scene::Scene& scene, const ClipTime& motion, glm::dvec3 origin);

// Returns the exact box of all vertices except the outliers at these clip times, relative to `origin`;
// computed on the CPU.
scene::Aabb bounds_without_outliers(const scene::Scene& scene, const scene::Outliers& outliers,
                                    std::span<const ClipTime> clip_times, glm::dvec3 origin);

// Returns the box framed when the skeleton is shown: the model's box extended by its joints, by at most the
// model's own size, so that distant control joints do not make the model tiny. If the joints are within the
// model's bounding sphere, which is visible anyway, returns the model's box, so that showing the skeleton
// does not move the camera.
scene::Aabb include_joints(const scene::Aabb& model, const scene::Aabb& joints);

// Returns the box translated by `by`.
scene::Aabb translated(const scene::Aabb& box, glm::dvec3 by);
Framing translated(const Framing& framing, glm::dvec3 by);

} // namespace vitrine::render
