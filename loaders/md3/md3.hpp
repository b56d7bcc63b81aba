#pragma once
// Reads Quake III's MD3 (magic IDP3, version 15) into a Scene. Pure function, any thread; the Source is only
// used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Creates a node for the file, and below it a node per surface (a mesh with all frames) and per tag (animated
// by translation and rotation, never scaled, as in the game). One clip, 15 frames per second.
//
// In a whole upload or folder (Source::is_whole_upload) the parts of a player form one character: lower,
// upper at its tag_torso, head at upper's tag_head, a weapon at its tag_weapon. An animation.cfg next to them
// defines the clips: BOTH_* animate lower and upper; TORSO_* animate upper while lower has the first pose of
// LEGS_IDLE; LEGS_* animate lower while upper has the first pose of TORSO_STAND. Levels of detail
// (lower_1.md3) are not shown.
//
// A .skin file next to the model selects the image of each surface. Scene space: see quake/space.hpp.
//
// Errors: malformed, truncated, out_of_range with "byte N" or "surface NAME"; unsupported (another version);
// limit_exceeded; empty (no frame, or neither surfaces nor tags although the file has more data than its
// frames).
LoadResult<scene::Scene> load_md3(Source& source, const Limits& limits);

} // namespace vitrine
