// The bones of the character that a motion turns.
#include <algorithm>
#include <array>
#include <span>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/humanoid/retarget_parts.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

using Bones = std::array<HumanBone, 4>;
constexpr HumanBone no_bone = HumanBone::none;

HumanBone next_bone(HumanBone bone)
{
    return static_cast<HumanBone>(index_of(bone) + 1);
}

// The first finger of the hand that both bodies have; the middle one before the others.
Bones fingers_of(bool left)
{
    using enum HumanBone;
    return left ? Bones{left_middle_proximal, left_index_proximal, left_ring_proximal, left_little_proximal}
                : Bones{right_middle_proximal, right_index_proximal, right_ring_proximal,
                        right_little_proximal};
}

// The bones that a bone may point to, the nearest first.
Bones aims_of(HumanBone bone)
{
    using enum HumanBone;
    switch (bone) {
    case spine: return {chest, upper_chest, neck, head};
    case chest: return {upper_chest, neck, head, no_bone};
    case upper_chest: return {neck, head, no_bone, no_bone};
    case neck: return {head, no_bone, no_bone, no_bone};
    case left_upper_arm:
    case right_upper_arm:
    case left_lower_arm:
    case right_lower_arm:
    case left_upper_leg:
    case right_upper_leg:
    case left_lower_leg:
    case right_lower_leg: return {next_bone(bone), no_bone, no_bone, no_bone};
    case left_hand:
    case right_hand: return fingers_of(bone == left_hand);
    default: break;
    }
    constexpr std::size_t joints = 3; // of a finger
    if (bone < left_thumb_metacarpal) return {no_bone, no_bone, no_bone, no_bone};
    const bool is_last = (index_of(bone) - index_of(left_thumb_metacarpal)) % joints == joints - 1;
    return {is_last ? no_bone : next_bone(bone), no_bone, no_bone, no_bone};
}

// The bone whose difference at rest a bone without an aim shares.
HumanBone bone_before(HumanBone bone)
{
    using enum HumanBone;
    constexpr std::size_t joints = 3; // of a finger
    if (bone == left_hand || bone == right_hand) return static_cast<HumanBone>(index_of(bone) - 1);
    const bool is_last_of_finger = bone >= left_thumb_metacarpal &&
                                   (index_of(bone) - index_of(left_thumb_metacarpal)) % joints == joints - 1;
    return is_last_of_finger ? static_cast<HumanBone>(index_of(bone) - 1) : no_bone;
}

class BoneBuilder {
public:
    BoneBuilder(const Scene& character, const RestBody& source, const RestBody& target)
        : character_(character), source_(source), target_(target),
          turn_(target.frame * glm::transpose(source.frame))
    {
    }

    bool has(HumanBone bone) const { return bone != no_bone && source_.has(bone) && target_.has(bone); }

    TargetBone build(HumanBone bone) const
    {
        TargetBone result{.bone = bone, .node = holder(bone)};
        const Node& node = character_.nodes[result.node];
        result.local_rotation = node.local.rotation;
        if (node.parent != none) result.parent_axes = orthonormal_axes(target_.pose.model[node.parent]);
        for (const auto aim : aims_of(bone)) {
            if (!has(aim)) continue;
            result.aim = aim;
            result.aim_offset = target_.at(aim) - target_.at(bone);
            break;
        }
        result.blend = skipped_bone(bone, result.aim);
        result.fixed = rest_difference(bone);
        return result;
    }

    // The node that holds the rotation: a node with a split scale has it above.
    std::uint32_t holder(HumanBone bone) const
    {
        const auto node = target_.bones[bone];
        return is_split_scale(character_, node) ? character_.nodes[node].parent : node;
    }

private:
    // The last bone that only the animation has before `aim`.
    HumanBone skipped_bone(HumanBone bone, HumanBone aim) const
    {
        HumanBone skipped = no_bone;
        if (aim == no_bone) return skipped;
        for (const auto between : aims_of(bone)) {
            if (between == aim) break;
            if (between != no_bone && source_.has(between)) skipped = between;
        }
        return bone < HumanBone::neck ? skipped : no_bone;
    }

    glm::quat rest_swing(HumanBone from, HumanBone to) const
    {
        return swing(target_.at(to) - target_.at(from), turn_ * (source_.at(to) - source_.at(from)));
    }

    // Feet stand flat in both rest poses, so that they differ only in the direction over the ground.
    glm::quat foot_difference(HumanBone foot) const
    {
        const HumanBone toes = next_bone(foot);
        if (!has(foot) || !has(toes)) return {1.0f, 0.0f, 0.0f, 0.0f};
        const auto over_ground = [&](glm::vec3 way) {
            return way - target_.up() * glm::dot(way, target_.up());
        };
        return swing(over_ground(target_.at(toes) - target_.at(foot)),
                     over_ground(turn_ * (source_.at(toes) - source_.at(foot))));
    }

    glm::quat rest_difference(HumanBone bone) const
    {
        using enum HumanBone;
        if (bone == left_foot || bone == left_toes) return foot_difference(left_foot);
        if (bone == right_foot || bone == right_toes) return foot_difference(right_foot);
        const auto before = bone_before(bone);
        return has(before) ? rest_swing(before, bone) : glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
    }

    const Scene& character_;
    const RestBody& source_;
    const RestBody& target_;
    glm::mat3 turn_;
};

// Sets parents and offsets; `bones` are in node order.
void connect(const Scene& character, const RestBody& target, std::vector<TargetBone>& bones)
{
    std::vector<std::size_t> nearest(character.nodes.size(),
                                     bones.size()); // by node: the bone at or above it
    std::size_t next = 0;
    for (std::uint32_t node = 0; node < character.nodes.size(); ++node) {
        const auto parent = character.nodes[node].parent;
        const std::size_t above = parent == none ? bones.size() : nearest[parent];
        nearest[node] = above;
        if (next == bones.size() || bones[next].node != node) continue;
        TargetBone& bone = bones[next];
        bone.parent = above == bones.size() ? next : above;
        bone.offset = target.at(bone.bone);
        if (bone.parent != next) bone.offset -= target.at(bones[bone.parent].bone);
        nearest[node] = next++;
    }
}

} // namespace

std::vector<TargetBone> find_target_bones(const Scene& character, const RestBody& source,
                                          const RestBody& target)
{
    const BoneBuilder builder(character, source, target);
    std::vector<TargetBone> bones;
    for (std::size_t i = 1; i < human_bone_count; ++i) {
        const auto bone = static_cast<HumanBone>(i);
        if (builder.has(bone) && !character.nodes[builder.holder(bone)].matrix)
            bones.push_back(builder.build(bone));
    }
    std::ranges::sort(bones, {}, &TargetBone::node);
    const auto repeated = std::ranges::unique(bones, {}, &TargetBone::node);
    bones.erase(repeated.begin(), repeated.end());
    connect(character, target, bones);
    using enum HumanBone;
    for (const auto needed : {hips, left_upper_leg, right_upper_leg})
        if (std::ranges::find(bones, needed, &TargetBone::bone) == bones.end()) return {};
    return bones;
}

TargetPoser::TargetPoser(const std::vector<TargetBone>& bones, const RestBody& target)
    : bones_(bones), target_(target)
{
    index_.fill(bones.size());
    for (std::size_t i = 0; i < bones.size(); ++i)
        index_[index_of(bones[i].bone)] = i;
}

void TargetPoser::turn(const SourceFrame& source, TargetFrame& frame) const
{
    frame.turns.resize(bones_.size());
    for (std::size_t i = 0; i < bones_.size(); ++i) {
        const TargetBone& bone = bones_[i];
        glm::quat turn = source.turns[index_of(bone.bone)];
        if (bone.blend != no_bone) turn = glm::slerp(turn, source.turns[index_of(bone.blend)], 0.5f);
        if (bone.aim == no_bone) {
            frame.turns[i] = glm::normalize(turn * bone.fixed);
            continue;
        }
        const glm::vec3 wanted = source.at[index_of(bone.aim)] - source.at[index_of(bone.bone)];
        frame.turns[i] = glm::normalize(swing(turn * bone.aim_offset, wanted) * turn);
    }
}

void TargetPoser::place(const SourceFrame& source, float drop, TargetFrame& frame) const
{
    using enum HumanBone;
    frame.hips = glm::vec3(0.0f);
    frame.at.resize(bones_.size());
    place_below(index(hips), frame);
    const auto middle = [](const glm::vec3& a, const glm::vec3& b) { return 0.5f * (a + b); };
    frame.hips = middle(source.at[index_of(left_upper_leg)], source.at[index_of(right_upper_leg)]) -
                 middle(frame.at[index(left_upper_leg)], frame.at[index(right_upper_leg)]) -
                 drop * target_.up();
    place_below(index(hips), frame);
}

void TargetPoser::place_below(std::size_t first, TargetFrame& frame) const
{
    for (std::size_t i = first; i < bones_.size(); ++i) {
        const TargetBone& bone = bones_[i];
        frame.at[i] = bone.offset;
        if (bone.parent != i) frame.at[i] = frame.at[bone.parent] + frame.turns[bone.parent] * bone.offset;
        if (bone.bone == HumanBone::hips) frame.at[i] += frame.hips;
    }
}

} // namespace vitrine::scene
