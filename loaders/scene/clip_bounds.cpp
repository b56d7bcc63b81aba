#include <algorithm>
#include <cmath>

#include "loaders/scene/joint_boxes.hpp"

namespace vitrine::scene {
namespace {

// Skinned vertices that the bounds of one clip may cost: about a minute of one core.
constexpr std::size_t vertex_budget = std::size_t{1} << 32;

std::vector<double> spread(double duration, std::size_t count)
{
    std::vector<double> times(std::max<std::size_t>(count, 1));
    for (std::size_t i = 1; i < times.size(); ++i)
        times[i] = duration * (static_cast<double>(i) / static_cast<double>(times.size() - 1));
    return times;
}

void sort_unique(std::vector<double>& times)
{
    std::ranges::sort(times);
    const auto tail = std::ranges::unique(times);
    times.erase(tail.begin(), tail.end());
}

// Adds the key times inside the clip; false once there are more than `limit` distinct ones. Duplicates are
// dropped along the way, so that many channels with the same keys cost no more memory than one.
bool add_keys(const Clip& clip, std::size_t limit, std::vector<double>& times)
{
    for (const Channel& channel : clip.channels) {
        for (const float time : channel.times) {
            if (!(time >= 0.0f && double{time} <= clip.duration)) continue;
            times.push_back(double{time});
            if (times.size() <= 4 * limit) continue;
            sort_unique(times);
            if (times.size() > limit) return false;
        }
    }
    sort_unique(times);
    return times.size() <= limit;
}

} // namespace

std::vector<double> sample_times(const Clip& clip, double poses_per_second, std::size_t limit)
{
    limit = std::max<std::size_t>(limit, 2);
    if (!(clip.duration > 0.0)) return {0.0};
    const double steps = std::ceil(clip.duration * poses_per_second);
    if (!(steps < static_cast<double>(limit))) return spread(clip.duration, limit);
    std::vector<double> times = spread(clip.duration, static_cast<std::size_t>(std::max(steps, 1.0)) + 1);
    return add_keys(clip, limit, times) ? times : spread(clip.duration, limit);
}

ClipBounds clip_bounds(const Scene& scene, std::uint32_t clip)
{
    ExactBounds exact(scene);
    const JointBoxes boxes = joint_boxes(scene);
    const std::size_t affordable = vertex_budget / std::max<std::size_t>(exact.vertices(), 1);
    ClipBounds out;
    out.times = sample_times(scene.clips[clip], 30.0, std::clamp<std::size_t>(affordable, 2, 4096));
    out.exact.reserve(out.times.size());
    Pose pose;
    for (const double time : out.times) {
        sample_pose(scene, clip, time, pose);
        out.exact.push_back(exact.at(pose));
        out.exact_union.add(out.exact.back());
        out.conservative.add(conservative_bounds(scene, boxes, pose));
    }
    return out;
}

} // namespace vitrine::scene
