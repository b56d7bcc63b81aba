#pragma once
// At which moments of a clip a model is measured, so that nothing of it leaves the picture. Pure.

#include <cstddef>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/base/types.hpp"

namespace vitrine::render {

// At least 30 poses a second, every key among them (see scene::sample_times); of a clip so long, or a model
// so large, that skinning them all would take seconds, as many as that time allows. Seconds from the clip's
// start.
std::vector<double> framing_times(const scene::Clip& clip, std::size_t vertices, bool software);

// Of the skeleton's joints over a clip (none: the static pose), at both its ends and as many moments between
// as cost little; measured from `origin`.
scene::Aabb joint_box(const scene::Scene& scene, std::uint32_t clip, glm::dvec3 origin);

// The exact box of all but the outliers at these moments, measured from `origin`; on the CPU.
scene::Aabb box_without(const scene::Scene& scene, const scene::Outliers& outliers,
                        std::span<const Moment> moments, glm::dvec3 origin);

// What a picture of a model takes in that shows the skeleton too: all joints as far as the model's own size
// around it. Controls that lie farther out would leave it tiny. The model's own box where they lie in the
// sphere around it, for that is in the picture anyway: showing the skeleton moves nothing then.
scene::Aabb with_joints(const scene::Aabb& model, const scene::Aabb& joints);

// The boxes measured from elsewhere.
scene::Aabb moved(const scene::Aabb& box, glm::dvec3 by);
Framing moved(const Framing& framing, glm::dvec3 by);

} // namespace vitrine::render
