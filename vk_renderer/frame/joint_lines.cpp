// The lines of overlays that differ by image: paths and boxes of joints.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "vk_renderer/frame/batch_slot.hpp"
#include "vk_renderer/frame/overlay_colors.hpp"
#include "vk_renderer/scene/joint_corners.hpp"

namespace vitrine::render {
namespace {

constexpr double samples_per_second = 60.0;
constexpr std::size_t min_samples = 16, max_samples = 160; // of a trail
constexpr std::size_t max_node_evaluations = 1'000'000;    // of the trails of a motion
constexpr std::size_t max_ends = 512;                      // that are compared
constexpr std::size_t max_chosen_ends = 8;                 // whose trails are drawn
constexpr float min_end_distance = 0.1f;                   // of two chosen ends, of the size of the skeleton
constexpr std::size_t max_kept_trails = 8;

constexpr float trail_width = 1.5f; // pixels to each side
constexpr float place_width = 3.4f;
constexpr std::uint32_t place_color = 0xFF1278F4;
constexpr float box_width = 0.8f;
constexpr float box_opacity = 0.85f;
constexpr float trail_opacity = 0.9f;

// RGBA, 8 bits each, R in the lowest byte.
std::uint32_t packed(const glm::vec3& color, float opacity)
{
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
        const float value = std::clamp(i < 3 ? color[i] : opacity, 0.0f, 1.0f);
        bits |= static_cast<std::uint32_t>(std::lround(value * 255.0f)) << (8 * i);
    }
    return bits;
}

using JointPath = std::vector<glm::vec3>; // of a joint, by sample

// The paths of these nodes over the motion; one point each if it is constant.
std::vector<JointPath> paths_of(const scene::Scene& scene, const ClipTime& motion,
                                std::span<const std::uint32_t> nodes, glm::dvec3 origin)
{
    const double duration = duration_of(scene, motion);
    const auto affordable = std::clamp(max_node_evaluations / std::max<std::size_t>(scene.nodes.size(), 1),
                                       min_samples, max_samples);
    const auto wanted = std::clamp(duration * samples_per_second, static_cast<double>(min_samples),
                                   static_cast<double>(affordable));
    const auto steps = duration > 0.0 ? static_cast<std::size_t>(wanted) - 1 : 0;
    std::vector<JointPath> paths(nodes.size());
    scene::Pose pose{.origin = origin};
    for (std::size_t i = 0; i <= steps; ++i) {
        const double time = steps == 0 ? 0.0 : duration * static_cast<double>(i) / static_cast<double>(steps);
        sample_pose(scene, {motion.clip, time, motion.layers}, pose);
        for (std::size_t n = 0; n < nodes.size(); ++n)
            paths[n].emplace_back(pose.model[nodes[n]][3]);
    }
    return paths;
}

float length_of(const JointPath& path)
{
    float length = 0.0f;
    for (std::size_t i = 1; i < path.size(); ++i)
        length += glm::distance(path[i - 1], path[i]);
    return std::isfinite(length) ? length : 0.0f;
}

// Joints without joints below them; without a skeleton, nodes that draw something.
std::vector<std::uint32_t> ends_of_skeleton(const scene::Scene& scene)
{
    const auto parents = scene::file_parents(scene);
    std::vector<bool> ends(scene.nodes.size(), false);
    for (const auto joint : scene::skeleton_joints(scene)) {
        ends[joint] = true;
        if (parents[joint] != scene::none) ends[parents[joint]] = false; // parents precede their children
    }
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < ends.size() && nodes.size() < max_ends; ++node)
        if (ends[node]) nodes.push_back(node);
    return nodes;
}

// Indices of the longest paths whose starts are not close together.
std::vector<std::size_t> farthest_paths(std::span<const JointPath> paths)
{
    scene::Aabb box;
    std::vector<std::pair<float, std::size_t>> lengths;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        box.add(paths[i].front());
        lengths.emplace_back(-length_of(paths[i]), i); // the longest first
    }
    std::ranges::sort(lengths);
    const float size = glm::length(box.size());
    std::vector<std::size_t> chosen;
    for (const auto& [length, i] : lengths) {
        if (chosen.size() == max_chosen_ends || !(-length > 1e-4f * size)) break;
        if (std::ranges::none_of(chosen, [&](std::size_t other) {
                return glm::distance(paths[i].front(), paths[other].front()) < min_end_distance * size;
            }))
            chosen.push_back(i);
    }
    return chosen;
}

void append_path(const JointPath& path, std::vector<shared::LineSegment>& lines)
{
    constexpr float first_heat = 0.2f; // darker colors are hard to tell
    for (std::size_t i = 1; i < path.size(); ++i) {
        const auto& from = path[i - 1];
        const auto& to = path[i];
        if (from == to || !std::isfinite(glm::dot(from, from) + glm::dot(to, to))) continue;
        const float time = (static_cast<float>(i) - 0.5f) / static_cast<float>(path.size() - 1);
        const auto color = packed(heat_of(first_heat + (1.0f - first_heat) * time), trail_opacity);
        lines.push_back({from, color, to, trail_width});
    }
}

std::vector<std::uint32_t> nodes_of(const scene::Scene& scene, const std::vector<std::string>& joints)
{
    std::vector<std::uint32_t> nodes;
    for (const auto& joint : joints) {
        const auto node = scene::find_joint(scene, joint);
        if (!node) throw RenderError(fmt::format("the scene has no joint '{}'", joint));
        nodes.push_back(*node);
    }
    return nodes;
}

JointTrails make_trails(const BatchImage& image)
{
    const auto& scene = *image.drawable.scene;
    const auto& joints = image.view->overlays.trail_joints;
    JointTrails trails{.motion = motion_key(image.clip_time), .joints = joints, .nodes = {}, .lines = {}};
    const auto nodes = joints.empty() ? ends_of_skeleton(scene) : nodes_of(scene, joints);
    const auto paths = paths_of(scene, image.clip_time, nodes, image.drawable.gpu->packed.origin);
    std::vector<std::size_t> chosen(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        chosen[i] = i;
    if (joints.empty()) chosen = farthest_paths(paths);
    for (const auto i : chosen) {
        trails.nodes.push_back(nodes[i]);
        append_path(paths[i], trails.lines);
    }
    return trails;
}

const JointTrails& trails_of(const BatchImage& image)
{
    auto& kept = image.drawable.gpu->trails;
    const auto& joints = image.view->overlays.trail_joints;
    const auto found = std::ranges::find_if(kept, [&](const JointTrails& trails) {
        return trails.joints == joints && trails.motion == motion_key(image.clip_time);
    });
    if (found != kept.end()) return *found;
    if (kept.size() >= max_kept_trails) kept.erase(kept.begin());
    return kept.emplace_back(make_trails(image));
}

// With a dot where each joint is. Of a crowd: those of its first model.
void append_trails(const BatchImage& image, std::vector<shared::LineSegment>& lines)
{
    const auto& trails = trails_of(image);
    if (trails.lines.empty()) return;
    const auto shown = image.instances ? image.instances->front() : SceneInstance{image.clip_time};
    const auto& offset = shown.placement.offset;
    for (auto line : trails.lines) {
        line.from += offset;
        line.to += offset;
        lines.push_back(line);
    }
    scene::Pose pose{.origin = image.drawable.gpu->packed.origin};
    sample_pose(*image.drawable.scene, shown.clip_time, pose);
    for (const auto node : trails.nodes) {
        const auto place = glm::vec3(pose.model[node][3]) + offset;
        lines.push_back({place, place_color, place, place_width});
    }
}

void append_joint_boxes(const BatchImage& image, std::span<const scene::PaletteEntry> palette,
                        std::vector<shared::LineSegment>& lines)
{
    auto& boxes = image.drawable.gpu->joint_corners;
    if (!boxes) boxes = joint_corners(*image.drawable.scene, image.drawable.gpu->packed.instances);
    for (const auto& box : *boxes) {
        const auto& rows = palette[box.entry].row;
        std::array<glm::vec3, 8> corners{};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::vec4 corner(box.corners[i], 1.0f);
            corners[i] = {glm::dot(rows[0], corner), glm::dot(rows[1], corner), glm::dot(rows[2], corner)};
        }
        const auto color = packed(joint_hue(box.node), box_opacity);
        for (std::size_t i = 0; i < corners.size(); ++i)
            for (const std::size_t axis : {1u, 2u, 4u})
                if ((i & axis) == 0) lines.push_back({corners[i], color, corners[i | axis], box_width});
    }
}

} // namespace

void append_joint_lines(const BatchImage& image, std::span<const scene::PaletteEntry> palette,
                        std::vector<shared::LineSegment>& lines)
{
    const auto& overlays = image.view->overlays;
    if (overlays.joint_boxes) append_joint_boxes(image, palette, lines);
    if (overlays.trails) append_trails(image, lines);
}

} // namespace vitrine::render
