#pragma once
// Shared by the corpus tests of formats with whole-mesh frames: poses by frame, boxes of truth/*.jsonl.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine::test {

// The largest extent or distance from the origin in the static pose.
inline double size_of(const scene::Scene& scene)
{
    const scene::Aabb rest = scene::static_bounds(scene);
    const glm::vec3 far = glm::max(glm::abs(rest.min), glm::abs(rest.max));
    return rest.empty() ? 0.0 : double{std::max({far.x, far.y, far.z})};
}

// By instance.
inline std::vector<scene::SkinnedMesh> skin_at(const scene::Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return skinned_in(scene, pose);
}

inline scene::Aabb read_box(simdjson::dom::element value)
{
    scene::Aabb box;
    for (simdjson::dom::element corner : value.get_array()) {
        glm::vec3 point;
        for (int i = 0; i < 3; ++i)
            point[i] = static_cast<float>(double(corner.at(static_cast<std::size_t>(i))));
        box.add(point);
    }
    return box;
}

// Compares a frame of the file with a box in the file's axes, rounded to five digits.
inline void compare_bounds(const scene::Scene& scene, std::size_t frame, simdjson::dom::element truth,
                           const std::string& file)
{
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const scene::Clip& at = scene.clips[clip];
        const auto first = static_cast<std::size_t>(std::lround(at.start_time * at.frame_rate));
        if (frame < first || frame >= first + at.frames) continue;
        scene::Pose pose;
        scene::sample_pose(scene, clip, static_cast<double>(frame - first) / at.frame_rate, pose);
        const auto found = scene::to_file_space(scene.file_space, scene::pose_bounds(scene, pose));
        EXPECT_LE(difference(found, read_box(truth)), 6e-6 + 1e-6 * size_of(scene))
            << file << " frame " << frame;
        return;
    }
    ADD_FAILURE() << file << " has no frame " << frame;
}

} // namespace vitrine::test
