#pragma once
// Writes the joints of a Scene and one of its clips as Biovision BVH, in centimeters, Y up.

#include <cstdint>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Writes the joints of all skins with the motion of the clip at its frame rate; scale is omitted. The static
// pose becomes one without rotations: a joint's rotation is that of its model space since the static pose.
// Joints that move in their parent's space, and roots, have six channels, others three. Those with positions
// have an OFFSET of zero, because some readers add them to it (three.js, Babylon.js) and others replace it
// (Blender, assimp); joints that the clip keeps in another place than the static pose have it as their
// OFFSET. A joint without children gets an End Site; a root without motion that has one child is left out.
// Preconditions: the scene passed scene::validate(); there is such a clip, and a joint.
std::string write_bvh(const scene::Scene& scene, std::uint32_t clip);

} // namespace vitrine::exporting
