#include "loaders/scene/humanoid/retarget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/scene/humanoid/retarget_parts.hpp"
#include "loaders/scene/motion/bind_animations.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t quat_width = 4;

// A rotation in scene space as one along these axes.
glm::quat in_axes(const glm::mat3& axes, const glm::quat& rotation)
{
    const float mirror = glm::determinant(axes) < 0.0f ? -1.0f : 1.0f;
    const glm::vec3 axis = mirror * (glm::transpose(axes) * glm::vec3(rotation.x, rotation.y, rotation.z));
    return {rotation.w, axis.x, axis.y, axis.z};
}

// Keys that are all the same are one key.
void merge_equal_keys(Channel& channel)
{
    const std::size_t width = channel.values.size() / channel.times.size();
    for (std::size_t i = width; i < channel.values.size(); ++i)
        if (std::abs(channel.values[i] - channel.values[i % width]) > 1e-6f) return;
    channel.times.resize(1);
    channel.values.resize(width);
}

Channel rotation_channel(const std::vector<TargetBone>& bones, std::size_t index,
                         const std::vector<TargetFrame>& frames, const Array<float>& times)
{
    const TargetBone& bone = bones[index];
    Channel channel{.node = bone.node, .path = Path::rotation, .times = times, .values = {}};
    std::vector<float> values;
    values.reserve(quat_width * frames.size());
    glm::quat last(1.0f, 0.0f, 0.0f, 0.0f);
    for (const TargetFrame& frame : frames) {
        glm::quat turn = frame.turns[index];
        if (bone.parent != index) turn = glm::conjugate(frame.turns[bone.parent]) * turn;
        glm::quat local = glm::normalize(in_axes(bone.parent_axes, turn) * bone.local_rotation);
        if (glm::dot(local, last) < 0.0f) local = -local;
        last = local;
        values.insert(values.end(), {local.x, local.y, local.z, local.w});
    }
    channel.values = std::move(values);
    merge_equal_keys(channel);
    return channel;
}

// The hips' parent keeps its place.
Channel translation_channel(const Scene& character, const RestBody& target, const TargetBone& hips,
                            std::size_t index, const std::vector<TargetFrame>& frames,
                            const Array<float>& times)
{
    Channel channel{.node = hips.node, .path = Path::translation, .times = times, .values = {}};
    const auto parent = character.nodes[hips.node].parent;
    const glm::mat4 to_parent = parent == none ? glm::mat4(1.0f) : glm::inverse(target.pose.model[parent]);
    std::vector<float> values;
    for (const TargetFrame& frame : frames) {
        const glm::vec4 at = to_parent * glm::vec4(frame.at[index], 1.0f);
        values.insert(values.end(), {at.x, at.y, at.z});
    }
    channel.values = std::move(values);
    merge_equal_keys(channel);
    return channel;
}

// Key times are single precision and must ascend.
Array<float> key_times_of(SourceMotion& motion)
{
    std::vector<float> times;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
        const auto time = static_cast<float>(motion.times[i]);
        if (!times.empty() && time <= times.back()) continue;
        times.push_back(time);
        motion.times[kept] = motion.times[i];
        std::swap(motion.frames[kept++], motion.frames[i]);
    }
    motion.times.resize(kept);
    motion.frames.resize(kept);
    return times;
}

bool is_finite(const Clip& clip)
{
    return std::ranges::all_of(clip.channels, [](const Channel& channel) {
        return std::ranges::all_of(channel.values, [](float value) { return std::isfinite(value); });
    });
}

Clip empty_copy(const Clip& source)
{
    return {.name = source.name,
            .start_time = source.start_time,
            .duration = source.duration,
            .frame_rate = source.frame_rate,
            .frames = source.frames,
            .channels = {}};
}

std::optional<Clip> retarget(const Scene& character, const RestBody& target, const Scene& animation,
                             const RestBody& source, std::uint32_t clip)
{
    const auto bones = find_target_bones(character, source, target);
    if (bones.empty()) return std::nullopt;
    auto motion = read_source_motion(animation, clip, source, target);
    const auto times = key_times_of(motion);
    const TargetPoser poser(bones, target);
    std::vector<TargetFrame> frames(motion.frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        poser.turn(motion.frames[i], frames[i]);
        poser.place(motion.frames[i], 0.0f, frames[i]);
    }
    plant_feet(motion, target, poser, frames);
    Clip result = empty_copy(animation.clips[clip]);
    const auto hips = poser.index(HumanBone::hips);
    result.channels.push_back(translation_channel(character, target, bones[hips], hips, frames, times));
    for (std::size_t i = 0; i < bones.size(); ++i)
        result.channels.push_back(rotation_channel(bones, i, frames, times));
    return is_finite(result) ? std::optional(std::move(result)) : std::nullopt;
}

constexpr float max_offset_angle = 0.35f; // radians, about 20 degrees
constexpr float max_leg_ratio = 1.05f;

// Whether the hips of both are in the same space.
bool have_same_origin(const Scene& a, const RestBody& body_a, const Scene& b, const RestBody& body_b)
{
    const auto space_of = [](const Scene& scene, const RestBody& body) {
        const auto parent = scene.nodes[body.bones[HumanBone::hips]].parent;
        return parent == none ? glm::mat3(1.0f) : glm::mat3(body.pose.model[parent]);
    };
    constexpr float max_difference = 0.05f; // of the length of an axis
    const glm::mat3 in_a = space_of(a, body_a), in_b = space_of(b, body_b);
    for (int axis = 0; axis < 3; ++axis)
        if (glm::length(in_a[axis] - in_b[axis]) > max_difference * glm::length(in_a[axis])) return false;
    return true;
}

// Whether the joints of both have the same axes and about the same size, so that the values of channels mean
// the same: bones point in the same direction along the axes of their parents. Rest rotations do not matter;
// files of animations alone often have a pose of the animation instead.
bool have_same_axes(const Scene& a, const RestBody& body_a, const Scene& b, const RestBody& body_b)
{
    const float ratio = body_a.leg_length / body_b.leg_length;
    if (!(ratio < max_leg_ratio && ratio > 1.0f / max_leg_ratio)) return false;
    if (!have_same_origin(a, body_a, b, body_b)) return false;
    for (std::size_t bone = index_of(HumanBone::spine); bone < human_bone_count; ++bone) {
        const auto in_a = body_a.bones.nodes[bone], in_b = body_b.bones.nodes[bone];
        if (in_a == none || in_b == none) continue;
        const glm::vec3 from = file_local(a, nullptr, in_a).translation;
        const glm::vec3 to = file_local(b, nullptr, in_b).translation;
        const float lengths = glm::length(from) * glm::length(to);
        if (lengths > 1e-12f && glm::dot(from, to) < std::cos(max_offset_angle) * lengths) return false;
    }
    return true;
}

} // namespace

std::optional<Clip> retarget_clip(const Scene& character, const Scene& animation, std::uint32_t clip)
{
    const auto target = find_rest_body(character);
    const auto source = target ? find_rest_body(animation) : std::nullopt;
    if (!source) return std::nullopt;
    return retarget(character, *target, animation, *source, clip);
}

std::optional<Clip> fit_clip(const Scene& character, const Scene& animation, std::uint32_t clip)
{
    auto bound = bind_clip(character, animation, clip);
    const auto target = find_rest_body(character);
    const auto source = target ? find_rest_body(animation) : std::nullopt;
    if (!source) return bound;
    const bool most_are_bound = bound && 2 * bound->channels.size() >= animation.clips[clip].channels.size();
    if (most_are_bound && have_same_axes(character, *target, animation, *source)) return bound;
    auto fitted = retarget(character, *target, animation, *source, clip);
    return fitted ? std::move(fitted) : std::move(bound);
}

} // namespace vitrine::scene
