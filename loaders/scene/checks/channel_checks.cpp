// Channels that begin late or end early, and scales that never change.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/scene/checks/check_parts.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"

namespace vitrine::scene {
namespace {

constexpr float unit_scale_tolerance = 1e-4f;

// The channel whose keys leave out most of the clip before its first or after its last key.
struct KeyGap {
    const Channel* channel = nullptr;
    double seconds = 0.0;
    bool is_at_end = false;
};

// A channel with one key holds a pose on purpose.
KeyGap find_key_gap(const Clip& clip)
{
    KeyGap widest;
    for (const Channel& channel : clip.channels) {
        if (channel.times.size() < 2 || channel.is_placeholder) continue;
        const double before = double{channel.times[0]};
        const double after = clip.duration - double{channel.times[channel.times.size() - 1]};
        const double seconds = std::max(before, after);
        if (seconds > widest.seconds) widest = {&channel, seconds, after >= before};
    }
    return widest;
}

void check_key_gaps(const Scene& scene, const Clip& clip, const std::string& path, FindingList& findings)
{
    const KeyGap gap = find_key_gap(clip);
    findings.limit(Rule::clip_uneven_channels, path, gap.seconds, [&] {
        return fmt::format("keys of the joint {} {} {:.3g} s {} the clip {}",
                           quoted_name(scene.nodes[gap.channel->node].name), gap.is_at_end ? "end" : "begin",
                           gap.seconds, gap.is_at_end ? "before the end of" : "after the start of",
                           quoted_name(clip.name));
    });
}

// All keys are equal, and not 1.
bool holds_a_scale(const Channel& channel)
{
    if (channel.path != Path::scale || channel.times.empty() || channel.values.empty()) return false;
    const auto differs = [](float a, float b) { return std::abs(a - b) > unit_scale_tolerance; };
    const std::size_t first = channel.interpolation == Interpolation::cubic ? 3 : 0;
    const std::size_t step = channel.interpolation == Interpolation::cubic ? 9 : 3;
    bool is_unit = true;
    for (std::size_t at = first; at + 3 <= channel.values.size(); at += step)
        for (std::size_t i = 0; i < 3; ++i) {
            if (differs(channel.values[at + i], channel.values[first + i])) return false;
            is_unit = is_unit && !differs(channel.values[at + i], 1.0f);
        }
    return !is_unit;
}

void check_held_scales(const Scene& scene, const Clip& clip, const std::string& path, FindingList& findings)
{
    const auto held = std::ranges::find_if(clip.channels, holds_a_scale);
    if (held == clip.channels.end()) return;
    findings.add(Rule::clip_constant_scale, path, true, false,
                 fmt::format("the clip {} keeps the joint {} at a scale other than 1", quoted_name(clip.name),
                             quoted_name(scene.nodes[held->node].name)));
}

} // namespace

void check_channel_ranges(const Scene& scene, FindingList& findings)
{
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        const auto path = pointer_to("clips", i);
        check_key_gaps(scene, scene.clips[i], path, findings);
        check_held_scales(scene, scene.clips[i], path, findings);
    }
}

void check_joint_scales(const Scene& scene, FindingList& findings)
{
    if (!findings.is_on(Rule::skin_joint_scale)) return;
    Pose rest;
    static_pose(scene, rest);
    for (const auto joint : skeleton_joints(scene)) {
        const glm::mat3 axes(rest.model[joint]);
        double largest = 0.0;
        for (glm::length_t i = 0; i < 3; ++i)
            largest = std::max(largest, std::abs(double{glm::length(axes[i])} - 1.0));
        findings.limit(Rule::skin_joint_scale, pointer_to("nodes", joint), largest, [&] {
            return fmt::format("the joint {} has the scale {:.4g}, {:.4g}, {:.4g} in the static pose",
                               quoted_name(scene.nodes[joint].name), glm::length(axes[0]),
                               glm::length(axes[1]), glm::length(axes[2]));
        });
    }
}

} // namespace vitrine::scene
