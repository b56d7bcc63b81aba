#pragma once
// What the name of a joint says about its place in a body. Private to loaders/scene/humanoid.
//
// Names are split at separators, digits and changes of case ("mixamorig:LeftUpLeg", "J_Bip_L_UpperLeg",
// "Bip01 L Thigh", "thigh_l", "DEF-thigh.L", "lThighBend"). Namespaces, marks of a rig ("Bip", "DEF") and of
// the side are removed; the rest is looked up. Names of twist, roll, IK and other helper joints mean nothing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

enum class BodySide : std::uint8_t { center, left, right };

enum class BodyPart : std::uint8_t {
    hips,
    torso,
    neck,
    head,
    eye,
    jaw,
    collar,
    shoulder, // the collar bone or the upper arm
    upper_arm,
    arm, // the upper arm, or any joint of an arm
    lower_arm,
    hand,
    hip, // of one side: the upper leg, or a joint above it
    upper_leg,
    leg, // the lower leg, or any joint of a leg
    lower_leg,
    foot,
    toes,
    thumb,
    index_finger,
    middle_finger,
    ring_finger,
    little_finger,
    numbered_finger,
};
inline constexpr std::size_t body_part_count = 24;

struct JointName {
    BodyPart part = BodyPart::hips;
    BodySide side = BodySide::center;
    std::uint8_t number = 0;   // the first digit after the word, of numbered fingers
    bool is_deforming = false; // marked as a joint of a skin ("DEF-") beside controls
};

// nullopt: the name is of no part of a body.
std::optional<JointName> parse_joint_name(std::string_view name);

// The joints of one scene by what their names say. The scene must outlive it. Functions are bounded: lists
// and ways toward the root of hostile files are cut off.
class NamedJoints {
public:
    using Nodes = std::vector<std::uint32_t>; // in node order: none is below a later one

    // `is_candidate`: by node.
    NamedJoints(const Scene& scene, const std::vector<bool>& is_candidate);

    const Nodes& of(BodyPart part, BodySide side) const { return nodes_[index(part, side)]; }
    // Fingers whose names have only this number.
    Nodes numbered(std::uint8_t number, BodySide side) const;

    bool is_below(std::uint32_t node, std::uint32_t ancestor) const;
    // The first of `list` that is below or above the node, or none.
    std::uint32_t first_below(const Nodes& list, std::uint32_t ancestor) const;
    std::uint32_t first_above(const Nodes& list, std::uint32_t node) const;
    // The nearest node that is each of them or above it; none stands for no node.
    std::uint32_t common_ancestor(std::uint32_t a, std::uint32_t b) const;
    // The nodes of the file between both, from above; empty if `below` is not below.
    Nodes between(std::uint32_t above, std::uint32_t below) const;

    static constexpr std::size_t max_named = 64; // nodes in a list

private:
    static std::size_t index(BodyPart part, BodySide side)
    {
        return static_cast<std::size_t>(side) * body_part_count + static_cast<std::size_t>(part);
    }

    const Scene& scene_;
    std::array<Nodes, 3 * body_part_count> nodes_;
    std::vector<std::pair<std::uint32_t, std::uint8_t>> numbers_; // of numbered fingers
};

} // namespace vitrine::scene
