#pragma once
// Motion to a clip, in the file's unit.

#include <string>

#include "loaders/bvh/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::bvh {

// Rotations are those of the channels in the order of the file, each about the axis that the ones before it
// have rotated: q = q1 * q2 * q3. Position channels replace the offset, or are added to it where they are
// closer to zero than to the offset (a warning). Tracks that never change have one key, or none if that is
// the static pose. Node j is joint j. Precondition: at least one frame.
scene::Clip make_clip(const Document& document, std::string name, io::WarningLog& warnings);

} // namespace vitrine::bvh
