#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/md5/scene_builder.hpp"

namespace vitrine::md5 {
namespace {

struct TrackValues {
    std::vector<float> keys; // `width` floats per frame
    std::size_t width = 0;

    bool constant() const
    {
        for (std::size_t i = width; i < keys.size(); ++i) {
            if (keys[i] != keys[i - width]) return false;
        }
        return true;
    }
};

void add_channel(scene::Clip& clip, std::uint32_t node, scene::Path path, TrackValues values,
                 std::span<const float> rest)
{
    if (values.constant()) {
        values.keys.resize(values.width);
        if (std::ranges::equal(values.keys, rest)) return;
    }
    scene::Channel channel{.node = node, .path = path, .times = {}, .values = std::move(values.keys)};
    for (std::size_t i = 0; i < channel.values.size() / values.width; ++i) {
        channel.times.push_back(static_cast<float>(static_cast<double>(i) / clip.frame_rate));
    }
    clip.channels.push_back(std::move(channel));
}

void append(TrackValues& values, const glm::vec3& t)
{
    values.keys.insert(values.keys.end(), {t.x, t.y, t.z});
}
void append(TrackValues& values, const glm::quat& q)
{
    values.keys.insert(values.keys.end(), {q.x, q.y, q.z, q.w});
}

} // namespace

ClipBinding::ClipBinding(const Skeleton& skeleton, const Md5Animation& animation,
                         std::vector<std::uint32_t> animation_order)
    : skeleton_(skeleton), animation_(animation), animation_order_(std::move(animation_order)),
      animated_(skeleton.names.size(), scene::none), joint_(animation.joints.size(), scene::none)
{
    match_names();
    kinds_.assign(animated_.size(), Kind::rest);
    for (const std::uint32_t j : bound_) {
        kinds_[j] = kind_of(j);
        if (kinds_[j] == Kind::absolute) ++absolute_count_;
    }
}

// Names may repeat: the first of a name matches the first in the other file, and so on.
void ClipBinding::match_names()
{
    std::unordered_map<std::string_view, std::vector<std::uint32_t>, io::StringHash, std::equal_to<>> by_name;
    for (std::size_t j = skeleton_.names.size(); j-- > 0;) {
        by_name[skeleton_.names[j]].push_back(static_cast<std::uint32_t>(j));
    }
    for (std::uint32_t a = 0; a < animation_.joints.size(); ++a) {
        const auto found = by_name.find(animation_.joints[a].name);
        if (found == by_name.end() || found->second.empty()) continue;
        joint_[a] = found->second.back();
        animated_[joint_[a]] = a;
        found->second.pop_back();
        bound_.push_back(joint_[a]);
    }
    std::ranges::sort(bound_);
}

ClipBinding::Kind ClipBinding::kind_of(std::uint32_t joint) const
{
    const std::uint32_t parent = skeleton_.parents[joint];
    const std::uint32_t animated_parent = animation_.joints[animated_[joint]].parent;
    if (animated_parent != scene::none) {
        return parent != scene::none && joint_[animated_parent] == parent ? Kind::direct : Kind::absolute;
    }
    if (parent == scene::none) return Kind::direct;
    // A root of the animation only. When its parent was omitted from the file, its values are still relative.
    return animated_[parent] == scene::none && base_is_relative(joint) ? Kind::direct : Kind::absolute;
}

// Returns whether the base frame is closer to the joint's local static transform than to the one in model
// space.
bool ClipBinding::base_is_relative(std::uint32_t joint) const
{
    const AnimatedJoint& animated = animation_.joints[animated_[joint]];
    const Transform base{restore_w(animated.base_orientation), animated.base_position};
    const auto distance_to = [&](const Transform& rest) {
        const double angle = 1.0 - std::abs(glm::dot(rest.rotation, base.rotation));
        return glm::distance(rest.translation, base.translation) + angle * glm::length(base.translation);
    };
    return distance_to(skeleton_.local[joint]) <= distance_to(skeleton_.model[joint]);
}

void ClipBinding::warn(io::WarningLog& warnings, std::string_view where) const
{
    for (std::size_t a = 0; a < joint_.size(); ++a) {
        if (joint_[a] != scene::none || !warnings.accepts("md5_joint_unknown")) continue;
        warnings.store("md5_joint_unknown",
                       fmt::format("the animation has joint {}, which the model lacks; it is ignored",
                                   io::shown(animation_.joints[a].name)),
                       std::string(where));
    }
    if (absolute_count_ == 0 || !warnings.accepts("md5_parents_differ")) return;
    warnings.store("md5_parents_differ",
                   fmt::format("{} joints have different parents in the animation and in the model; "
                               "their model-space transforms are used",
                               absolute_count_),
                   std::string(where));
}

std::uint64_t ClipBinding::key_values() const
{
    std::uint64_t moving = absolute_count_ > 0 ? skeleton_.names.size() + joint_.size() : 0;
    for (const std::uint32_t j : bound_) {
        if (kinds_[j] == Kind::direct && animation_.joints[animated_[j]].flags != 0) ++moving;
    }
    return moving * animation_.frame_count * 7;
}

void ClipBinding::animated_models(std::uint32_t frame, std::vector<Transform>& model) const
{
    model.resize(joint_.size());
    for (const std::uint32_t a : animation_order_) {
        const AnimatedJoint& joint = animation_.joints[a];
        const Transform local = local_at(animation_, joint, frame);
        model[a] = joint.parent == scene::none ? local : compose(model[joint.parent], local);
    }
}

void ClipBinding::evaluate(std::uint32_t frame, std::vector<Transform>& animated,
                           std::vector<Transform>& local, std::vector<Transform>& model) const
{
    if (absolute_count_ > 0) animated_models(frame, animated);
    local.resize(kinds_.size());
    model.resize(kinds_.size());
    for (const std::uint32_t j : skeleton_.order) {
        const std::uint32_t parent = skeleton_.parents[j];
        if (kinds_[j] == Kind::absolute) {
            model[j] = animated[animated_[j]];
            local[j] = parent == scene::none ? model[j] : compose(inverse(model[parent]), model[j]);
            continue;
        }
        local[j] = kinds_[j] == Kind::rest ? skeleton_.local[j]
                                           : local_at(animation_, animation_.joints[animated_[j]], frame);
        model[j] = parent == scene::none ? local[j] : compose(model[parent], local[j]);
    }
}

void ClipBinding::pose(std::uint32_t frame, std::vector<Transform>& model) const
{
    std::vector<Transform> animated, local;
    evaluate(frame, animated, local, model);
}

std::vector<Transform> ClipBinding::locals_of(std::uint32_t joint) const
{
    const AnimatedJoint& animated = animation_.joints[animated_[joint]];
    std::vector<Transform> locals(animated.flags == 0 ? 1 : animation_.frame_count);
    for (std::uint32_t f = 0; f < locals.size(); ++f)
        locals[f] = local_at(animation_, animated, f);
    return locals;
}

void ClipBinding::add_channels(scene::Clip& clip, std::uint32_t joint,
                               std::span<const Transform> locals) const
{
    TrackValues translations{.keys = {}, .width = 3}, rotations{.keys = {}, .width = 4};
    for (const Transform& local : locals) {
        append(translations, glm::vec3(local.translation));
        append(rotations, glm::quat(local.rotation));
    }
    TrackValues rest_translation{.keys = {}, .width = 3}, rest_rotation{.keys = {}, .width = 4};
    append(rest_translation, glm::vec3(skeleton_.local[joint].translation));
    append(rest_rotation, glm::quat(skeleton_.local[joint].rotation));
    const std::uint32_t node = skeleton_.nodes[joint];
    add_channel(clip, node, scene::Path::translation, std::move(translations), rest_translation.keys);
    add_channel(clip, node, scene::Path::rotation, std::move(rotations), rest_rotation.keys);
}

scene::Clip ClipBinding::make_clip(std::string name) const
{
    scene::Clip clip{.name = std::move(name),
                     .frame_rate = animation_.frame_rate,
                     .frames = animation_.frame_count,
                     .channels = {}};
    clip.duration = (animation_.frame_count - 1) / animation_.frame_rate;
    for (const FrameBounds& box : animation_.bounds)
        clip.declared_boxes.push_back({glm::vec3(box.min), glm::vec3(box.max)});
    for (const std::uint32_t j : bound_) {
        if (kinds_[j] == Kind::direct) add_channels(clip, j, locals_of(j));
    }
    std::vector<std::vector<Transform>> moved(absolute_count_ > 0 ? kinds_.size() : 0);
    std::vector<Transform> animated, local, model;
    for (std::uint32_t f = 0; absolute_count_ > 0 && f < animation_.frame_count; ++f) {
        evaluate(f, animated, local, model);
        for (const std::uint32_t j : bound_) {
            if (kinds_[j] == Kind::absolute) moved[j].push_back(local[j]);
        }
    }
    for (std::uint32_t j = 0; j < moved.size(); ++j) {
        if (!moved[j].empty()) add_channels(clip, j, moved[j]);
    }
    // A clip that holds the static pose needs a key, because a clip needs a channel.
    if (clip.channels.empty() && !bound_.empty()) {
        const glm::vec3 t(skeleton_.local[bound_[0]].translation);
        clip.channels.push_back(
            {.node = skeleton_.nodes[bound_[0]], .times = {0.0f}, .values = {t.x, t.y, t.z}});
    }
    return clip;
}

} // namespace vitrine::md5
