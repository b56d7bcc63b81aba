#pragma once
// Humanoid rigs that differ in names, proportions, rest pose and axes of the joints, and clips of one
// analytic motion on each of them.

#include <array>
#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

enum class NamingStyle : std::uint8_t {
    vrm,
    mixamo,
    unreal,
    vroid,
    biped,
    rigify,
    kaykit,
    cmu,
    joint_words, // "LeftCollar", "LeftKnee"
    daz,
    second_life,
    makehuman,
};
inline constexpr std::size_t naming_style_count = 12;

// Lengths are in meters for a body of 1.8 m.
struct HumanoidRig {
    NamingStyle names = NamingStyle::vrm;
    float height = 1.8f;
    float thigh = 0.42f, shin = 0.42f, hip_width = 0.09f;
    float ankle_height = 0.08f, foot_length = 0.14f; // of the ankle; from the ankle to the toes
    float torso = 0.45f, shoulder_width = 0.16f;
    float upper_arm = 0.28f, lower_arm = 0.25f;
    unsigned spine_joints = 3;
    bool arms_down = false;      // the rest pose is an A-pose
    float facing = 0.0f;         // radians about Y; 0: +Z
    unsigned axes_seed = 0;      // 0: the joints' axes are those of the scene at rest
    bool in_centimeters = false; // below a node that scales by 0.01 and turns Z up to Y up
    bool has_shoulders = true;
};

inline constexpr std::size_t motion_count = 10;

// The rig with the clips "walk", "run", ... of all motions, 30 frames per second. Feet stand without sliding.
scene::Scene make_humanoid(const HumanoidRig& rig);

// 20 rigs, the first one a plain body.
std::vector<HumanoidRig> humanoid_rigs();

// By frame: whether the toes of the left and right foot stand.
std::vector<std::array<bool, 2>> standing_feet(std::size_t motion);

} // namespace vitrine::test
