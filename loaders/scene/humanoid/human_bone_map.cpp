#include "loaders/scene/humanoid/human_bone_map.hpp"

#include <algorithm>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/humanoid/joint_name.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t finger_joints = 3;

using Nodes = NamedJoints::Nodes;

// The words for the joints of an arm or a leg, from the trunk outward.
struct LimbParts {
    BodyPart socket; // the collar bone, or a joint above the upper leg
    BodyPart upper, lower, end;
    BodyPart any;   // upper if `lower` is known, else each of them in turn
    BodyPart loose; // the upper one where nothing else is
};
constexpr LimbParts arm_parts{BodyPart::collar, BodyPart::upper_arm, BodyPart::lower_arm,
                              BodyPart::hand,   BodyPart::arm,       BodyPart::shoulder};
constexpr LimbParts leg_parts{BodyPart::hip,  BodyPart::upper_leg, BodyPart::lower_leg,
                              BodyPart::foot, BodyPart::leg,       BodyPart::hip};

struct Limb {
    std::uint32_t upper = none, lower = none, end = none;
};

std::uint32_t upper_joint(const NamedJoints& joints, const LimbParts& parts, BodySide side,
                          std::uint32_t lower)
{
    for (const auto part : {parts.upper, parts.any, parts.loose}) {
        const auto found = joints.first_above(joints.of(part, side), lower);
        if (found != none) return found;
    }
    return none;
}

// "arm" above "arm", "leg" above "leg".
Limb chain_of_one_word(const NamedJoints& joints, const Nodes& list)
{
    Limb limb;
    if (list.empty()) return limb;
    limb.lower = joints.first_below(list, list.front());
    if (limb.lower == none) return {};
    limb.upper = list.front();
    limb.end = joints.first_below(list, limb.lower);
    return limb;
}

Limb find_limb(const NamedJoints& joints, const LimbParts& parts, BodySide side)
{
    Limb limb;
    for (const auto part : {parts.lower, parts.any}) { // "LeftUpLeg", "LeftLeg"
        for (const auto lower : joints.of(part, side)) {
            limb.upper = upper_joint(joints, parts, side, lower);
            limb.lower = lower;
            const bool is_lower = part == parts.lower ||
                                  joints.first_above(joints.of(parts.upper, side), lower) != none ||
                                  joints.first_above(joints.of(parts.loose, side), lower) != none;
            if (limb.upper == none || !is_lower) continue;
            // The collar bone of "shoulder", "arm", "hand".
            if (part == parts.any && parts.loose == BodyPart::shoulder) continue;
            limb.end = joints.first_below(joints.of(parts.end, side), lower);
            return limb;
        }
    }
    limb = chain_of_one_word(joints, joints.of(parts.any, side));
    if (limb.end == none && limb.lower != none)
        limb.end = joints.first_below(joints.of(parts.end, side), limb.lower);
    return limb;
}

HumanBone offset(HumanBone first, std::size_t count)
{
    return static_cast<HumanBone>(static_cast<std::size_t>(first) + count);
}

class HumanBoneFinder {
public:
    HumanBoneFinder(const Scene& scene, const std::vector<bool>& is_candidate) : joints_(scene, is_candidate)
    {
    }

    HumanBoneMap find()
    {
        for (const auto side : {BodySide::left, BodySide::right}) {
            find_leg(side);
            find_arm(side);
        }
        map_[HumanBone::head] = first_of(BodyPart::head, BodySide::center);
        find_hips();
        find_trunk();
        find_face();
        return map_;
    }

private:
    std::uint32_t first_of(BodyPart part, BodySide side) const
    {
        const Nodes& list = joints_.of(part, side);
        return list.empty() ? none : list.front();
    }

    void find_leg(BodySide side)
    {
        const bool left = side == BodySide::left;
        const Limb leg = find_limb(joints_, leg_parts, side);
        const auto first = left ? HumanBone::left_upper_leg : HumanBone::right_upper_leg;
        map_[first] = leg.upper;
        map_[offset(first, 1)] = leg.lower;
        map_[offset(first, 2)] = leg.end;
        auto toes = joints_.first_below(joints_.of(BodyPart::toes, side), leg.end);
        // "leg" below "leg": the fourth one.
        if (toes == none) toes = joints_.first_below(joints_.of(BodyPart::leg, side), leg.end);
        map_[offset(first, 3)] = toes;
    }

    void find_arm(BodySide side)
    {
        const bool left = side == BodySide::left;
        const Limb arm = find_limb(joints_, arm_parts, side);
        const auto first = left ? HumanBone::left_shoulder : HumanBone::right_shoulder;
        auto shoulder = joints_.first_above(joints_.of(BodyPart::collar, side), arm.upper);
        if (shoulder == none) shoulder = joints_.first_above(joints_.of(BodyPart::shoulder, side), arm.upper);
        map_[first] = shoulder;
        map_[offset(first, 1)] = arm.upper;
        map_[offset(first, 2)] = arm.lower;
        map_[offset(first, 3)] = arm.end;
        if (arm.end != none) find_fingers(side, arm.end);
    }

    void find_fingers(BodySide side, std::uint32_t hand)
    {
        const bool left = side == BodySide::left;
        const auto first = left ? HumanBone::left_thumb_metacarpal : HumanBone::right_thumb_metacarpal;
        const bool from_zero = !joints_.numbered(0, side).empty();
        for (std::uint8_t finger = 0; finger < 5; ++finger) {
            const auto part = static_cast<BodyPart>(static_cast<int>(BodyPart::thumb) + finger);
            Nodes list = joints_.of(part, side);
            if (list.empty()) list = joints_.numbered(static_cast<std::uint8_t>(finger + !from_zero), side);
            auto above = hand;
            for (std::size_t i = 0; i < finger_joints && above != none; ++i) {
                above = joints_.first_below(list, above);
                map_[offset(first, finger_joints * finger + i)] = above;
            }
        }
    }

    // The joint of that name above both legs and the trunk; without one, the joint where they meet.
    void find_hips()
    {
        auto meeting =
            joints_.common_ancestor(map_[HumanBone::left_upper_leg], map_[HumanBone::right_upper_leg]);
        if (meeting == none) return;
        const auto trunk =
            joints_.common_ancestor(map_[HumanBone::left_upper_arm], map_[HumanBone::right_upper_arm]);
        if (trunk != none) meeting = joints_.common_ancestor(meeting, trunk);
        if (meeting == none) return;
        map_[HumanBone::hips] = meeting;
        for (const auto node : joints_.of(BodyPart::hips, BodySide::center))
            if (node == meeting || joints_.is_below(meeting, node)) map_[HumanBone::hips] = node;
    }

    bool is_named(std::uint32_t node, BodyPart part) const
    {
        return std::ranges::find(joints_.of(part, BodySide::center), node) !=
               joints_.of(part, BodySide::center).end();
    }

    void find_trunk()
    {
        const auto hips = map_[HumanBone::hips];
        if (hips == none) return;
        const auto arms =
            joints_.common_ancestor(map_[HumanBone::left_upper_arm], map_[HumanBone::right_upper_arm]);
        if (map_[HumanBone::head] == none || !joints_.is_below(map_[HumanBone::head], hips))
            find_unnamed_head(arms);
        const auto head = map_[HumanBone::head];
        Nodes trunk = joints_.between(hips, head != none ? head : arms);
        if (head == none && arms != none && arms != hips) trunk.push_back(arms);
        Nodes spine;
        for (const auto node : trunk) {
            const bool is_neck =
                is_named(node, BodyPart::neck) ||
                (arms != none && arms != hips && node != arms && joints_.is_below(node, arms));
            if (is_neck && map_[HumanBone::neck] == none) map_[HumanBone::neck] = node;
            if (map_[HumanBone::neck] == none) spine.push_back(node);
        }
        if (map_[HumanBone::neck] == none && head == none)
            map_[HumanBone::neck] = joints_.first_below(joints_.of(BodyPart::neck, BodySide::center), hips);
        number_spine(spine);
    }

    void number_spine(const Nodes& spine)
    {
        if (spine.empty()) return;
        map_[HumanBone::spine] = spine.front();
        if (spine.size() == 2) map_[HumanBone::chest] = spine.back();
        if (spine.size() < 3) return;
        map_[HumanBone::chest] = spine[spine.size() / 2];
        map_[HumanBone::upper_chest] = spine.back();
    }

    // Rigify numbers neck and head as joints of the spine.
    void find_unnamed_head(std::uint32_t arms)
    {
        map_[HumanBone::head] = none;
        if (arms == none) return;
        auto above = arms;
        for (std::size_t step = 0; step < NamedJoints::max_named; ++step) {
            const auto next = joints_.first_below(joints_.of(BodyPart::torso, BodySide::center), above);
            if (next == none) break;
            map_[HumanBone::head] = above = next;
        }
    }

    void find_face()
    {
        const auto head = map_[HumanBone::head];
        map_[HumanBone::left_eye] = joints_.first_below(joints_.of(BodyPart::eye, BodySide::left), head);
        map_[HumanBone::right_eye] = joints_.first_below(joints_.of(BodyPart::eye, BodySide::right), head);
        map_[HumanBone::jaw] = joints_.first_below(joints_.of(BodyPart::jaw, BodySide::center), head);
    }

    NamedJoints joints_;
    HumanBoneMap map_;
};

HumanBoneMap declared_bones(const Scene& scene)
{
    HumanBoneMap map;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        auto& known = map[scene.nodes[node].human_bone];
        if (known == none) known = node;
    }
    map[HumanBone::none] = none;
    return map;
}

HumanBoneMap named_bones(const Scene& scene)
{
    std::vector<bool> is_candidate(scene.nodes.size(), false);
    for (const auto& skin : scene.skins)
        for (const auto joint : skin.joints)
            is_candidate[file_node(scene, joint)] = true;
    if (!scene.skins.empty())
        if (auto map = HumanBoneFinder(scene, is_candidate).find(); map.is_humanoid()) return map;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (!is_helper(scene.nodes[node]) && scene.nodes[node].mesh == none) is_candidate[node] = true;
    return HumanBoneFinder(scene, is_candidate).find();
}

} // namespace

bool HumanBoneMap::is_humanoid() const
{
    using enum HumanBone;
    constexpr std::array needed{
        hips,           left_upper_leg, left_lower_leg,  right_upper_leg, right_lower_leg,
        left_upper_arm, left_lower_arm, right_upper_arm, right_lower_arm};
    return std::ranges::none_of(needed, [&](HumanBone bone) { return (*this)[bone] == scene::none; });
}

HumanBoneMap find_human_bones(const Scene& scene)
{
    const auto declared = declared_bones(scene);
    return declared[HumanBone::hips] != none ? declared : named_bones(scene);
}

std::vector<HumanBone> bones_by_node(const Scene& scene, const HumanBoneMap& map)
{
    std::vector<HumanBone> bones(scene.nodes.size(), HumanBone::none);
    for (std::size_t bone = 1; bone < human_bone_count; ++bone)
        if (map.nodes[bone] != none) bones[map.nodes[bone]] = static_cast<HumanBone>(bone);
    return bones;
}

} // namespace vitrine::scene
