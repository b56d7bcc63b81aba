#include "loaders/scene/human_bone.hpp"

#include <algorithm>
#include <array>

namespace vitrine::scene {
namespace {

// In the order of HumanBone.
constexpr std::array<std::string_view, human_bone_count> human_bone_names{
    "",
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    "leftEye",
    "rightEye",
    "jaw",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "leftToes",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "rightToes",
    "leftShoulder",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "rightShoulder",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
    "leftThumbMetacarpal",
    "leftThumbProximal",
    "leftThumbDistal",
    "leftIndexProximal",
    "leftIndexIntermediate",
    "leftIndexDistal",
    "leftMiddleProximal",
    "leftMiddleIntermediate",
    "leftMiddleDistal",
    "leftRingProximal",
    "leftRingIntermediate",
    "leftRingDistal",
    "leftLittleProximal",
    "leftLittleIntermediate",
    "leftLittleDistal",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
};

} // namespace

std::string_view name_of(HumanBone bone)
{
    return human_bone_names[static_cast<std::size_t>(bone)];
}

std::optional<HumanBone> find_human_bone(std::string_view name)
{
    const auto found = std::ranges::find(human_bone_names, name);
    if (name.empty() || found == human_bone_names.end()) return std::nullopt;
    return static_cast<HumanBone>(found - human_bone_names.begin());
}

} // namespace vitrine::scene
