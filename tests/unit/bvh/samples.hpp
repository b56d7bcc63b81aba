#pragma once
// Small BVH files with manually computable values.

#include <string>

#include <gtest/gtest.h>

#include "loaders/bvh/bvh.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

// Figure of 170 cm: hips on the ground, an arm of 20 and 10 along +X at a height of 100, a head at 150 and
// 170.
inline const std::string arm_hierarchy = R"(HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Arm
	{
		OFFSET 0 100 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Hand
		{
			OFFSET 20 0 0
			CHANNELS 2 Yrotation Zrotation
			End Site
			{
				OFFSET 10 0 0
			}
		}
	}
	JOINT Head
	{
		OFFSET 0 150 0
		CHANNELS 0
		End Site
		{
			OFFSET 0 20 0
		}
	}
}
)";

// Two frames at 4 per second: at rest, and moved with the arm raised by 90 degrees and the hand turned.
inline const std::string arm_motion = R"(MOTION
Frames: 2
Frame Time: 0.25
0 0 0  0 0 0  0 0 0  0 0
10 0 5  0 0 0  90 0 0  90 0
)";

inline LoadResult<scene::Scene> try_bvh(const std::string& text, const Limits& limits = {})
{
    MemorySource source("wave.bvh", {{"wave.bvh", text}});
    return load_bvh(source, limits);
}

inline scene::Scene load_bvh_text(const std::string& text)
{
    return valid(try_bvh(text));
}

inline std::string replaced_in(std::string text, std::string_view from, std::string_view to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

// Warnings without the one about the unit, which every file has.
inline std::string other_codes(scene::Scene scene)
{
    std::erase_if(scene.warnings, [](const auto& warning) { return warning.code == "bvh_unit_guessed"; });
    return codes(scene);
}

// In the file's unit; the first joint with this name.
inline glm::vec3 joint_at(const scene::Scene& scene, double time, std::string_view name)
{
    scene::Pose pose;
    scene.clips.empty() ? scene::static_pose(scene, pose) : scene::sample_pose(scene, 0, time, pose);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].name == name)
            return glm::vec3(pose.model[n][3]) / static_cast<float>(scene.file_space.unit_meters);
    return glm::vec3(1e9f);
}

inline void expect_place(glm::vec3 found, glm::vec3 wanted)
{
    EXPECT_LT(glm::distance(found, wanted), 1e-3f) << found.x << " " << found.y << " " << found.z;
}

} // namespace vitrine::test
