#pragma once
// Bones of a humanoid skeleton, as VRM 1.0 names them (VRMC_vrm, humanoid.humanBones). The role of a joint
// that animations are matched by where the names of two rigs differ.

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::scene {

enum class HumanBone : std::uint8_t {
    none, // no role
    hips,
    spine,
    chest,
    upper_chest,
    neck,
    head,
    left_eye,
    right_eye,
    jaw,
    left_upper_leg,
    left_lower_leg,
    left_foot,
    left_toes,
    right_upper_leg,
    right_lower_leg,
    right_foot,
    right_toes,
    left_shoulder,
    left_upper_arm,
    left_lower_arm,
    left_hand,
    right_shoulder,
    right_upper_arm,
    right_lower_arm,
    right_hand,
    left_thumb_metacarpal,
    left_thumb_proximal,
    left_thumb_distal,
    left_index_proximal,
    left_index_intermediate,
    left_index_distal,
    left_middle_proximal,
    left_middle_intermediate,
    left_middle_distal,
    left_ring_proximal,
    left_ring_intermediate,
    left_ring_distal,
    left_little_proximal,
    left_little_intermediate,
    left_little_distal,
    right_thumb_metacarpal,
    right_thumb_proximal,
    right_thumb_distal,
    right_index_proximal,
    right_index_intermediate,
    right_index_distal,
    right_middle_proximal,
    right_middle_intermediate,
    right_middle_distal,
    right_ring_proximal,
    right_ring_intermediate,
    right_ring_distal,
    right_little_proximal,
    right_little_intermediate,
    right_little_distal,
};

inline constexpr std::size_t human_bone_count = 56; // with HumanBone::none

// The name in VRM 1.0 ("leftUpperArm"); empty for none.
std::string_view name_of(HumanBone bone);

// nullopt if no bone has this name. Names are compared exactly.
std::optional<HumanBone> find_human_bone(std::string_view name);

} // namespace vitrine::scene
