#pragma once
// Reads Doom 3's MD5 (version 10) into a Scene: an .md5mesh with every .md5anim next to it, or an .md5anim
// alone. Pure function, any thread; the Source is only used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// For an .md5mesh: its joints and meshes, and each .md5anim of the same folder as a clip named by the file's
// stem, sorted; in a whole upload also those in folders without a model. An animation that cannot be read, or
// that animates none of the joints, causes a warning. For an .md5anim: its skeleton in the base frame, and
// its clip.
//
// Scene space: see quake/space.hpp.
// Influences::positions is only filled when a vertex's weights have different bind positions or do not sum to
// 1.
//
// Errors: malformed, truncated, out_of_range with "line N"; unsupported (another version); limit_exceeded;
// empty (neither joints nor meshes).
LoadResult<scene::Scene> load_md5(Source& source, const Limits& limits);

} // namespace vitrine
