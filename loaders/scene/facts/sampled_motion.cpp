#include "loaders/scene/facts/sampled_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"

namespace vitrine::scene {
namespace {

constexpr double max_steps = 512.0;
constexpr double max_evaluations = 2e6;      // frames times nodes, of a clip
constexpr double max_file_evaluations = 1e8; // of all clips
constexpr double tip_length = 0.05;          // of the size

bool moves(const Channel& channel)
{
    constexpr std::size_t width = 3;
    for (std::size_t i = width; i < channel.values.size(); ++i)
        if (channel.values[i] != channel.values[i - width]) return true;
    return false;
}

// By joint: the number of joints below it and itself.
std::vector<std::size_t> subtree_sizes(const Scene& scene, const std::vector<std::uint32_t>& joints)
{
    std::vector<std::size_t> by_node(scene.nodes.size(), 0);
    for (const auto joint : joints)
        by_node[joint] = 1;
    for (std::size_t node = scene.nodes.size(); node-- > 0;) // parents precede their children
        if (scene.nodes[node].parent != none) by_node[scene.nodes[node].parent] += by_node[node];
    std::vector<std::size_t> sizes;
    for (const auto joint : joints)
        sizes.push_back(by_node[joint]);
    return sizes;
}

// The first joint above at least half of the joints whose translation is animated; else the first joint.
std::size_t select_root(const Scene& scene, const Clip& clip, const std::vector<std::uint32_t>& joints,
                        const std::vector<std::size_t>& sizes)
{
    std::size_t root = joints.size();
    for (const Channel& channel : clip.channels) {
        if (channel.path != Path::translation || !moves(channel)) continue;
        const auto found = std::ranges::find(joints, file_node(scene, channel.node));
        const auto at = static_cast<std::size_t>(found - joints.begin());
        if (at < root && 2 * sizes[at] >= joints.size()) root = at;
    }
    return root == joints.size() ? 0 : root;
}

double longest_side(std::span<const glm::vec3> points)
{
    glm::vec3 low = points.front(), high = points.front();
    for (const glm::vec3& point : points) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    const glm::vec3 size = high - low;
    return std::max({double{size.x}, double{size.y}, double{size.z}, 1e-6});
}

// Adds up the turns about Y of a joint from frame to frame.
class TurnCounter {
public:
    double turn_to(const glm::mat4& model)
    {
        const glm::mat3 axes(glm::normalize(glm::vec3(model[0])), glm::normalize(glm::vec3(model[1])),
                             glm::normalize(glm::vec3(model[2])));
        if (!started_) first_ = axes;
        started_ = true;
        const glm::vec3 heading = axes * (glm::transpose(first_) * glm::vec3(0, 0, 1));
        const double angle = std::atan2(double{heading.x}, double{heading.z});
        if (std::isfinite(angle)) sum_ += std::remainder(angle - last_, 2.0 * std::numbers::pi);
        if (std::isfinite(angle)) last_ = angle;
        return sum_;
    }

private:
    bool started_ = false;
    glm::mat3 first_{1.0f};
    double last_ = 0.0, sum_ = 0.0;
};

std::vector<double> frame_times(const Scene& scene, const Clip& clip)
{
    const double evaluations =
        std::min(max_evaluations, max_file_evaluations / static_cast<double>(scene.clips.size()));
    const double affordable =
        std::clamp(evaluations / static_cast<double>(scene.nodes.size()), 2.0, max_steps);
    const double steps = std::clamp(std::round(clip.duration * frame_rate_or_default(clip)), 1.0, affordable);
    std::vector<double> times{0.0};
    if (clip.duration > 0.0)
        for (int i = 1; i <= static_cast<int>(steps); ++i)
            times.push_back(clip.duration * i / steps);
    return times;
}

void add_joints(SampledMotion& motion, const std::vector<std::size_t>& sizes, const Pose& pose)
{
    const auto length = static_cast<float>(tip_length * motion.size);
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const glm::mat4& model = pose.model[motion.joints[j]];
        motion.positions.emplace_back(model[3]);
        if (sizes[j] > 1) continue;
        for (const int axis : {0, 1})
            motion.tips.push_back(glm::vec3(model[3]) + length * glm::normalize(glm::vec3(model[axis])));
    }
}

// Degrees between the local rotations of two poses: the mean over the nodes with rotation tracks.
double mean_rotation(const Clip& clip, const Pose& a, const Pose& b)
{
    constexpr std::size_t min_tracks = 3;
    double sum = 0.0;
    std::size_t tracks = 0;
    for (const Channel& channel : clip.channels) {
        if (channel.path != Path::rotation || channel.times.empty() || channel.is_placeholder) continue;
        const double cosine =
            std::abs(double{glm::dot(a.local[channel.node].rotation, b.local[channel.node].rotation)});
        sum += 2.0 * std::acos(std::min(cosine, 1.0));
        ++tracks;
    }
    return tracks < min_tracks ? 0.0 : glm::degrees(sum / static_cast<double>(tracks));
}

} // namespace

SampledMotion sample_motion(const Scene& scene, std::uint32_t clip)
{
    SampledMotion motion;
    motion.joints = skeleton_joints(scene);
    if (motion.joints.empty()) return motion;
    const auto sizes = subtree_sizes(scene, motion.joints);
    motion.root = select_root(scene, scene.clips[clip], motion.joints, sizes);
    Pose rest;
    static_pose(scene, rest);
    for (const auto joint : motion.joints)
        motion.rest.emplace_back(rest.model[joint][3]);
    motion.size = longest_side(motion.rest);
    const auto times = frame_times(scene, scene.clips[clip]);
    motion.step = times.size() > 1 ? times[1] : 0.0;
    motion.positions.reserve(times.size() * motion.joints.size());
    motion.turns.reserve(times.size());
    const auto leaves = static_cast<std::size_t>(std::ranges::count(sizes, std::size_t{1}));
    motion.tips.reserve(times.size() * leaves * 2);
    TurnCounter turns;
    visit_poses(scene, clip, times, glm::dvec3(0.0), [&](std::size_t i, const Pose& pose) {
        if (i == 0) motion.start_rotation = mean_rotation(scene.clips[clip], pose, rest);
        add_joints(motion, sizes, pose);
        motion.turns.push_back(turns.turn_to(pose.model[motion.joints[motion.root]]));
    });
    return motion;
}

} // namespace vitrine::scene
