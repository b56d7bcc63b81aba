#pragma once
// Doom 3's MD5 (version 10): an .md5mesh with every .md5anim beside it, or an .md5anim alone.
// Pure, any thread; the Source is used during the call only.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Main file an .md5mesh: its joints and meshes, and each .md5anim of the same folder as a clip named by the
// file's stem, sorted; of a whole upload also those of folders that hold no model. An animation that cannot
// be read, or that moves none of the joints, is a warning. Main file an .md5anim: its skeleton in the base
// frame and its clip.
//
// Scene space: x' = x, y' = z, z' = -y, so that id's Z up becomes Y up; the model looks along +X.
// Influences::positions is filled only where a vertex's weights place it apart or do not sum to 1.
//
// Errors: malformed, truncated, out_of_range with "line N"; unsupported (another version); limit_exceeded;
// empty (no joint and no mesh).
LoadResult<scene::Scene> load_md5(Source& source, const Limits& limits);

} // namespace vitrine
