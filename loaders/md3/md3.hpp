#pragma once
// Quake III's MD3 (magic IDP3, version 15).
// Pure, any thread; the Source is used during the call only.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// A node for the file, below it a node for each surface (a mesh with all frames) and for each tag (moved by
// translation and rotation, never scaled, as the game does). One clip, 15 frames a second.
//
// Of a whole upload or folder (Source::is_whole) the parts of a player are one character: lower, at its
// tag_torso upper, at its tag_head head, at its tag_weapon a weapon. An animation.cfg beside them gives the
// clips: BOTH_* move lower and upper, TORSO_* upper while lower stands as at the start of LEGS_IDLE, LEGS_*
// lower while upper stands as at the start of TORSO_STAND. Levels of detail (lower_1.md3) are not shown.
//
// A .skin file beside the model says which picture a surface wears.
// Scene space: x' = x, y' = z, z' = -y, so that id's Z up becomes Y up; the model looks along +X.
//
// Errors: malformed, truncated, out_of_range with "byte N" or "surface NAME"; unsupported (another version);
// limit_exceeded; empty (no frame, or neither a surface nor a
// tag and yet more than the frames).
LoadResult<scene::Scene> load_md3(Source& source, const Limits& limits);

} // namespace vitrine
