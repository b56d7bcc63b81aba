#pragma once
// The names that programs give to the joints of a humanoid. Part of humanoid_rigs.

#include <cstdint>
#include <string>

#include "tests/support/humanoid/humanoid_rigs.hpp"

namespace vitrine::test {

enum class BodyJoint : std::uint8_t {
    hips,
    spine, // several
    neck,
    head,
    left_shoulder,
    left_upper_arm,
    left_lower_arm,
    left_hand,
    left_upper_leg,
    left_lower_leg,
    left_foot,
    left_toes,
    right_shoulder,
    right_upper_arm,
    right_lower_arm,
    right_hand,
    right_upper_leg,
    right_lower_leg,
    right_foot,
    right_toes,
};

// `number`: of a joint of the spine, from 0.
std::string joint_name(NamingStyle style, BodyJoint joint, unsigned number = 0);

} // namespace vitrine::test
