#include "vk_renderer/frame/pose_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_access.hpp>
#include <glm/gtc/packing.hpp>

#include "loaders/scene/motion/dual_quaternion.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t texels_per_dqs_joint = 5;
// Fewer poses take less time than the threads need to start.
constexpr std::size_t min_split_poses = 64;
// All poses are held then, 120 bytes a node.
constexpr std::size_t max_split_nodes = 65'536;

// The skeleton overlay: RGBA, 8 bits each, linear, R in the lowest byte.
constexpr std::uint32_t bone_color = 0xD8E0A018;
constexpr std::uint32_t joint_color = 0xFF1278F4;
constexpr float bone_width = 1.0f; // pixels to each side
constexpr float joint_width = 2.6f;

glm::vec3 position_of(const scene::Pose& pose, std::uint32_t node, const InstancePlacement& placement)
{
    return glm::vec3(pose.model[node][3]) + placement.offset;
}

// The color of the skeleton of an instance.
std::uint32_t segment_color(std::uint32_t solid, const InstancePlacement& placement)
{
    return placement.is_ghost() ? glm::packUnorm4x8(placement.ghost) : solid;
}

void move(std::span<scene::PaletteEntry> palette, const glm::vec3& by)
{
    for (auto& entry : palette)
        for (int axis = 0; axis < 3; ++axis)
            entry.row[axis].w += by[axis];
}

glm::vec4 texel_of(const glm::dquat& q)
{
    return glm::dvec4(q.x, q.y, q.z, q.w);
}

// Tolerates the rounding of single precision and long joint chains. Treating such a matrix as rigid moves no
// vertex by more than a third of the device's permitted error.
bool is_rigid(const glm::dmat3& stretch)
{
    constexpr double stretch_tolerance = 2e-6;
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            if (!(std::abs(stretch[c][r] - (c == r ? 1.0 : 0.0)) < stretch_tolerance)) return false;
    return true;
}

// Appends a dot per joint and a line to its parent joint, in scene space. `parents`: scene::file_parents().
void append_skeleton(const std::vector<std::uint32_t>& parents, const std::vector<bool>& joints,
                     const scene::Pose& pose, const InstancePlacement& placement,
                     std::vector<shared::LineSegment>& out)
{
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t color, float width) {
        out.push_back({position_of(pose, a, placement), segment_color(color, placement),
                       position_of(pose, b, placement), width});
    };
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (const auto parent = parents[node]; joints[node] && parent != scene::none && joints[parent])
            add(parent, node, bone_color, bone_width);
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (joints[node]) add(node, node, joint_color, joint_width);
}

// Appends the positions of those joints with their nodes.
void append_joints(const std::vector<bool>& joints, const scene::Pose& pose,
                   const InstancePlacement& placement, std::vector<JointPosition>& out)
{
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (joints[node]) out.push_back({node, position_of(pose, node, placement)});
}

} // namespace

void PoseEvaluator::begin(const scene::Scene& scene, const PackedScene& packed, bool skeleton,
                          std::span<const InstancePlacement> placements)
{
    placements_ = placements;
    scene_ = &scene;
    packed_ = &packed;
    skeleton_ = skeleton;
    if (skeleton) {
        scene::mark_skeleton_joints(scene, joints_);
        scene::file_parents(scene, parents_);
    }
    palettes_.clear();
    dqs_palettes_.clear();
    non_rigid_ = false;
    values_.clear();
    segments_.clear();
    joint_positions_.clear();
    segment_ends_.clear();
}

void PoseEvaluator::add(std::span<const ClipTime> clip_times, unsigned threads)
{
    for (std::size_t first = 0; first < clip_times.size();) {
        if (clip_times[first].layers) {
            add_layers(clip_times[first++]);
            continue;
        }
        const std::uint32_t clip = clip_times[first].clip;
        if (clip != scene::none && clip >= scene_->clips.size())
            throw RenderError("the scene has no such clip");
        times_.clear();
        for (const ClipTime& clip_time : clip_times.subspan(first)) {
            if (!clip_time.has_motion_of(clip_times[first])) break;
            times_.push_back(clip_time.time);
        }
        add_clip(clip, times_, threads);
        first += times_.size();
    }
}

void PoseEvaluator::add_clip(std::uint32_t clip, std::span<const double> times, unsigned threads)
{
    sampler_.begin(*scene_, clip);
    const bool split = threads > 1 && times.size() >= min_split_poses &&
                       times.size() * scene_->nodes.size() <= max_split_nodes;
    const std::size_t block = std::min(times.size(), split ? times.size() : sampler_.block());
    if (poses_.size() < block) poses_.resize(block);
    for (scene::Pose& pose : std::span(poses_).first(block))
        pose.origin = packed_->origin;
    for (std::size_t first = 0; first < times.size(); first += block) {
        const std::size_t count = std::min(block, times.size() - first);
        const auto poses = std::span(poses_).first(count);
        if (split)
            scene::sample_poses(*scene_, clip, times, poses, threads);
        else
            sampler_.sample(times.subspan(first, count), poses);
        for (const scene::Pose& pose : poses)
            append(pose);
    }
}

void PoseEvaluator::add_layers(const ClipTime& clip_time)
{
    if (poses_.empty()) poses_.emplace_back();
    scene::Pose& pose = poses_.front();
    pose.origin = packed_->origin;
    layer_sampler_.sample(*scene_, *clip_time.layers, clip_time.time, pose);
    append(pose);
}

void PoseEvaluator::append(const scene::Pose& pose)
{
    const auto first = palettes_.size();
    palettes_.resize(first + packed_->palette_count);
    const auto palette = std::span(palettes_).subspan(first);
    scene::joint_palette(*scene_, packed_->instances, pose, palette);
    const auto placement = placements_.empty() ? InstancePlacement{} : placements_[segment_ends_.size()];
    if (!placements_.empty()) move(palette, placement.offset);
    if (packed_->value_count > 0) {
        values_.insert(values_.end(), pose.morph_weights.begin(), pose.morph_weights.end());
        for (const scene::FrameBlend& blend : pose.vertex_frame)
            values_.insert(values_.end(),
                           {static_cast<float>(blend.from), static_cast<float>(blend.to), blend.fraction,
                            static_cast<float>(blend.over_from), static_cast<float>(blend.over_to),
                            blend.over_fraction, blend.over_weight});
    }
    if (!packed_->dqs_instances.empty()) add_dqs(palette);
    if (skeleton_) {
        append_skeleton(parents_, joints_, pose, placement, segments_);
        append_joints(joints_, pose, placement, joint_positions_);
    }
    segment_ends_.push_back(static_cast<std::uint32_t>(segments_.size()));
}

void PoseEvaluator::add_dqs(std::span<const scene::PaletteEntry> palette)
{
    const auto begin = dqs_palettes_.size();
    dqs_palettes_.resize(begin + texels_per_dqs_joint * palette.size());
    for (const auto index : packed_->dqs_instances) {
        const auto& instance = packed_->instances[index];
        for (auto i = instance.first_palette; i < instance.first_palette + instance.palette_count; ++i) {
            const auto joint = scene::split(palette[i]);
            auto* texel = &dqs_palettes_[begin + texels_per_dqs_joint * i];
            *texel++ = texel_of(joint.rotation);
            *texel++ = texel_of(joint.dual);
            for (const int row : {0, 1, 2})
                *texel++ = glm::vec4(glm::row(joint.stretch, row), 0.0);
            non_rigid_ = non_rigid_ || !is_rigid(joint.stretch);
        }
    }
}

std::span<const JointPosition> PoseEvaluator::joints(std::uint32_t pose_index) const
{
    const auto count = segment_ends_.empty() ? 0 : joint_positions_.size() / segment_ends_.size();
    return std::span(joint_positions_).subspan(pose_index * count, count);
}

std::span<const scene::PaletteEntry> PoseEvaluator::palette(std::uint32_t pose_index,
                                                            std::uint32_t count) const
{
    return palettes().subspan(std::size_t{pose_index} * packed_->palette_count,
                              std::size_t{count} * packed_->palette_count);
}

std::span<const float> PoseEvaluator::values(std::uint32_t pose_index) const
{
    return values().subspan(std::size_t{pose_index} * packed_->value_count, packed_->value_count);
}

} // namespace vitrine::render
