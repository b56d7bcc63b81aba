#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "loaders/export/quake/md5_skeleton.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/sample_poses.hpp"

namespace vitrine::exporting {
namespace {

using Components = std::array<float, 6>; // Tx Ty Tz Qx Qy Qz

struct SkeletonFrame {
    std::vector<Components> joints;
    scene::Aabb bounds;
};

SkeletonFrame frame_of(const scene::Scene& scene, const Md5Skeleton& skeleton, const scene::Pose& pose)
{
    const auto& joints = skeleton.joints;
    std::vector<glm::mat4> model(joints.size(), glm::mat4(1.0f));
    SkeletonFrame frame;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].node != scene::none) model[j] = skeleton.in_file_axes(pose.model[joints[j].node]);
        const auto local =
            joints[j].parent == scene::none ? model[j] : glm::inverse(model[joints[j].parent]) * model[j];
        const auto [p, q] = md5_placement(local);
        frame.joints.push_back({p.x, p.y, p.z, q.x, q.y, q.z});
    }
    const auto box = scene::pose_bounds(scene, pose);
    frame.bounds.add(glm::vec3(skeleton.to_file * glm::vec4(box.min, 1.0f)));
    frame.bounds.add(glm::vec3(skeleton.to_file * glm::vec4(box.max, 1.0f)));
    return frame;
}

// Bit c is set when component c of the joint changes over the frames.
unsigned moving_components(const std::vector<SkeletonFrame>& frames, std::size_t joint)
{
    unsigned flags = 0;
    for (const auto& frame : frames)
        for (std::size_t c = 0; c < 6; ++c)
            if (frame.joints[joint][c] != frames.front().joints[joint][c]) flags |= 1u << c;
    return flags;
}

void write_frames(std::string& text, const std::vector<SkeletonFrame>& frames,
                  const std::vector<unsigned>& flags)
{
    for (std::size_t f = 0; f < frames.size(); ++f) {
        fmt::format_to(end_of(text), "\nframe {} {{\n", f);
        for (std::size_t j = 0; j < flags.size(); ++j) {
            if (flags[j] == 0) continue;
            text += '\t';
            for (std::size_t c = 0; c < 6; ++c)
                if (flags[j] & (1u << c)) fmt::format_to(end_of(text), " {}", frames[f].joints[j][c]);
            text += '\n';
        }
        text += "}\n";
    }
}

} // namespace

std::string write_md5_clip(const scene::Scene& scene, const Md5Skeleton& skeleton, std::uint32_t index)
{
    const auto& joints = skeleton.joints;
    const auto& clip = scene.clips[index];
    const double rate = clip.frame_rate > 0.0 ? clip.frame_rate : 24.0;
    const auto count = static_cast<std::size_t>(std::lround(clip.duration * rate)) + 1;
    std::vector<double> times;
    for (std::size_t f = 0; f < count; ++f)
        times.push_back(static_cast<double>(f) / rate);
    std::vector<SkeletonFrame> frames;
    frames.reserve(count);
    scene::visit_poses(scene, index, times, glm::dvec3(0.0), [&](std::size_t, const scene::Pose& pose) {
        frames.push_back(frame_of(scene, skeleton, pose));
    });
    std::vector<unsigned> flags;
    std::string hierarchy, base, boxes;
    std::size_t start = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        flags.push_back(moving_components(frames, j));
        const int parent = joints[j].parent == scene::none ? -1 : static_cast<int>(joints[j].parent);
        fmt::format_to(end_of(hierarchy), "\t{} {} {} {}\n", quoted_md5_name(joints[j].name), parent,
                       flags[j], start);
        start += static_cast<std::size_t>(std::popcount(flags[j]));
        const auto& c = frames.front().joints[j];
        fmt::format_to(end_of(base), "\t( {} {} {} ) ( {} {} {} )\n", c[0], c[1], c[2], c[3], c[4], c[5]);
    }
    for (const auto& frame : frames) {
        const auto& [low, high] = frame.bounds;
        fmt::format_to(end_of(boxes), "\t( {} {} {} ) ( {} {} {} )\n", low.x, low.y, low.z, high.x, high.y,
                       high.z);
    }
    auto text = fmt::format(
        "MD5Version 10\ncommandline \"Vitrine\"\n\nnumFrames {}\nnumJoints {}\nframeRate {}\n"
        "numAnimatedComponents {}\n\nhierarchy {{\n{}}}\n\nbounds {{\n{}}}\n\nbaseframe {{\n{}}}\n",
        count, joints.size(), rate, start, hierarchy, boxes, base);
    write_frames(text, frames, flags);
    return text;
}

} // namespace vitrine::exporting
