#pragma once
// Reads Biovision BVH motion into a Scene. Pure functions, any thread; the Source is only used during the
// call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Whether the text begins with the word HIERARCHY.
bool is_bvh(Bytes bytes);

// Creates a node per joint and per End Site ("NAME_end"), one skin with all of them, no mesh, and one clip
// with the name of the file; no clip if the file has no motion. The static pose is the OFFSETs without
// rotation. Scene space: the file's axes (Y up); the unit is guessed from the height of the figure
// (unit_guess.hpp).
//
// Errors: malformed with "line N" (hierarchy, numbers), empty (no joint), limit_exceeded.
LoadResult<scene::Scene> load_bvh(Source& source, const Limits& limits);

} // namespace vitrine
