#pragma once
// Small MD5 files with manually computable values.

#include <string>

#include "loaders/md5/md5.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

// An arm along +X: "base" at the origin, "tip" at (2, 0, 0), both unrotated (w = -1). A triangle with a
// vertex on base at the origin, one on tip at (3, 0, 0), and one at (2, 1, 0) with half of both.
inline const std::string arm_mesh = R"(MD5Version 10
commandline "made by hand"

numJoints 2
numMeshes 1

joints {
	"base"	-1 ( 0 0 0 ) ( 0 0 0 )		//
	"tip"	0 ( 2 0 0 ) ( 0 0 0 )		// base
}

mesh {
	// meshes: arm
	shader "models/arm"

	numverts 3
	vert 0 ( 0.25 0.75 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 0.5 0.5 ) 2 2

	numtris 1
	tri 0 0 1 2

	numweights 4
	weight 0 0 1.0 ( 0 0 0 )
	weight 1 1 1.0 ( 1 0 0 )
	weight 2 0 0.5 ( 2 1 0 )
	weight 3 1 0.5 ( 0 1 0 )
}
)";

// Two frames at 2 per second: base moves up by 4 (flag Tz), tip rotates by 90 degrees about +Z (flag Qz).
inline const std::string arm_animation = R"(MD5Version 10
commandline ""

numFrames 2
numJoints 2
frameRate 2
numAnimatedComponents 2

hierarchy {
	"base"	-1 4 0	//
	"tip"	0 32 1	// base
}
bounds {
	( 0 0 0 ) ( 3 1 0 )
	( 0 0 4 ) ( 2 1 4 )
}
baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 2 0 0 ) ( 0 0 0 )
}
frame 0 {
	0 0
}
frame 1 {
	4 -0.70710678118
}
)";

inline std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    if (const auto at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
    return text;
}

inline LoadResult<scene::Scene> load_arm(std::map<std::string, std::string> files, const Limits& limits = {})
{
    MemorySource source("arm.md5mesh", std::move(files));
    auto loaded = load_md5(source, limits);
    if (loaded) expect_places(*loaded);
    return loaded;
}

} // namespace vitrine::test
