#pragma once
// Poses of one clip at many times. Equal to sample_pose() at each time, bit by bit, and several times as
// fast.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/base/stop.hpp"
#include "loaders/scene/motion/clip_sampler.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Writes the pose at times[i] to poses[i], relative to its `origin`; both have the same length. `threads`:
// including the caller's, at most one for each 32 poses; the others end before the call returns, and the
// caller's does their work if they cannot be started.
void sample_poses(const Scene& scene, std::uint32_t clip, std::span<const double> times,
                  std::span<Pose> poses, unsigned threads = 1);

// Calls visit(i, pose) for each time in order, holding few poses. May throw Stopped (loaders/base/stop.hpp).
template <class Visit>
void visit_poses(const Scene& scene, std::uint32_t clip, std::span<const double> times,
                 const glm::dvec3& origin, const Visit& visit)
{
    ClipSampler sampler(scene, clip);
    std::vector<Pose> poses(std::min(sampler.block(), times.size()), Pose{.origin = origin});
    for (std::size_t first = 0; first < times.size(); first += poses.size()) {
        const std::size_t count = std::min(poses.size(), times.size() - first);
        sampler.sample(times.subspan(first, count), std::span(poses).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            check_stop();
            visit(first + i, std::as_const(poses[i]));
        }
    }
}

} // namespace vitrine::scene
