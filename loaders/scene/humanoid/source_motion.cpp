// Samples the animation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "loaders/scene/humanoid/retarget.hpp"
#include "loaders/scene/humanoid/retarget_parts.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/motion/sample_poses.hpp"

namespace vitrine::scene {
namespace {

constexpr double max_sampled_nodes = 4e7; // frames times nodes

std::vector<double> key_times(const Clip& clip, std::size_t nodes)
{
    const double affordable =
        std::clamp(max_sampled_nodes / static_cast<double>(nodes), 2.0, max_retarget_frames);
    const double rate = frame_rate_or_default(clip);
    std::vector<double> times{0.0};
    if (!(clip.duration > 0.0)) return times;
    const double frames = clip.duration * rate;
    const double step = frames > affordable ? clip.duration / affordable : 1.0 / rate;
    constexpr double min_step_fraction = 1e-3; // of a step: a last key that is no frame of its own
    for (double i = 1.0; i * step < clip.duration - min_step_fraction * step; ++i)
        times.push_back(i * step);
    times.push_back(clip.duration);
    return times;
}

// From the scene space of the animation to that of the character.
struct Alignment {
    glm::mat3 turn;
    float scale;
};

// The height of the lower ankle above the ground of the character where it stands.
float standing_height(const SourceMotion& motion, const RestBody& source, const RestBody& target)
{
    std::vector<float> heights;
    for (const auto& frame : motion.frames) {
        float lowest = std::numeric_limits<float>::max();
        for (const auto foot : {HumanBone::left_foot, HumanBone::right_foot})
            if (source.has(foot))
                lowest = std::min(lowest, glm::dot(frame.at[index_of(foot)] - target.ground, target.up()));
        heights.push_back(lowest);
    }
    const float height = low_value(std::move(heights));
    return height == std::numeric_limits<float>::max() ? 0.0f : height;
}

// A rest pose that does not stand on the ground of its clips (BVH: the hips are the origin) does not tell
// where the ground is: there low ankles are assumed to stand.
void find_ground(SourceMotion& motion, const RestBody& source, const RestBody& target)
{
    constexpr float max_height = 0.25f; // of the legs
    const float lowest = standing_height(motion, source, target);
    if (source.legs_are_straight && std::abs(lowest) < max_height * target.leg_length) return;
    for (auto& frame : motion.frames)
        for (auto& at : frame.at)
            at -= lowest * target.up();
}

} // namespace

float low_value(std::vector<float> values)
{
    constexpr std::size_t part = 20;
    std::erase_if(values, [](float value) { return !std::isfinite(value); });
    if (values.empty()) return 0.0f;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / part);
    std::ranges::nth_element(values, at);
    return *at;
}

SourceMotion read_source_motion(const Scene& animation, std::uint32_t clip, const RestBody& source,
                                const RestBody& target)
{
    SourceMotion motion;
    motion.times = key_times(animation.clips[clip], animation.nodes.size());
    motion.frames.resize(motion.times.size());
    const Alignment align{target.frame * glm::transpose(source.frame), target.leg_length / source.leg_length};
    visit_poses(animation, clip, motion.times, glm::dvec3(0.0), [&](std::size_t i, const Pose& pose) {
        SourceFrame& frame = motion.frames[i];
        for (std::size_t bone = 1; bone < human_bone_count; ++bone) {
            const auto node = source.bones.nodes[bone];
            if (node == none) continue;
            const glm::mat4& model = pose.model[node];
            const glm::mat3 turn =
                align.turn * orthonormal_axes(model) * glm::transpose(align.turn * source.axes[bone]);
            frame.turns[bone] = glm::normalize(glm::quat_cast(turn));
            frame.at[bone] =
                target.ground + align.scale * (align.turn * (glm::vec3(model[3]) - source.ground));
        }
    });
    find_ground(motion, source, target);
    return motion;
}

} // namespace vitrine::scene
