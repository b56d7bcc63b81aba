#pragma once

#include <cstdint>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::test {

// The boxes of a clip at its sample times.
struct SampledBounds {
    std::vector<double> times; // seconds from the clip's start
    std::vector<scene::Aabb> exact;
    scene::Aabb exact_union, conservative;
};

inline SampledBounds sampled_bounds(const scene::Scene& scene, std::uint32_t clip)
{
    const auto boxes = scene::joint_boxes(scene);
    SampledBounds bounds{
        .times = scene::sample_times(scene.clips[clip]), .exact = {}, .exact_union = {}, .conservative = {}};
    scene::Pose pose;
    for (const double time : bounds.times) {
        scene::sample_pose(scene, clip, time, pose);
        bounds.exact.push_back(scene::pose_bounds(scene, pose));
        bounds.exact_union.add(bounds.exact.back());
        bounds.conservative.add(scene::conservative_bounds(scene, boxes, pose));
    }
    return bounds;
}

} // namespace vitrine::test
