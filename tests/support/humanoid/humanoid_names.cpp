// Names of joints by convention, and the rigs that have them.
#include "tests/support/humanoid/humanoid_names.hpp"

#include <random>

#include <fmt/format.h>
#include <glm/glm.hpp>

namespace vitrine::test {
namespace {

struct Words {
    const char* hips;
    const char* spine; // with {} for the number from 0, or {1} from 1
    const char* neck;
    const char* head;
    // Of one side, with {} for its mark.
    const char *shoulder, *upper_arm, *lower_arm, *hand, *upper_leg, *lower_leg, *foot, *toes;
    const char *left, *right;
};

// In the order of NamingStyle.
constexpr Words all_words[] = {
    {"hips", "spine{}", "neck", "head", "{}Shoulder", "{}UpperArm", "{}LowerArm", "{}Hand", "{}UpperLeg",
     "{}LowerLeg", "{}Foot", "{}Toes", "left", "right"},
    {"mixamorig:Hips", "mixamorig:Spine{}", "mixamorig:Neck", "mixamorig:Head", "mixamorig:{}Shoulder",
     "mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand", "mixamorig:{}UpLeg", "mixamorig:{}Leg",
     "mixamorig:{}Foot", "mixamorig:{}ToeBase", "Left", "Right"},
    {"pelvis", "spine_0{1}", "neck_01", "head", "clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}",
     "thigh_{}", "calf_{}", "foot_{}", "ball_{}", "l", "r"},
    {"J_Bip_C_Hips", "J_Bip_C_Spine{}", "J_Bip_C_Neck", "J_Bip_C_Head", "J_Bip_{}_Shoulder",
     "J_Bip_{}_UpperArm", "J_Bip_{}_LowerArm", "J_Bip_{}_Hand", "J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg",
     "J_Bip_{}_Foot", "J_Bip_{}_ToeBase", "L", "R"},
    {"Bip01 Pelvis", "Bip01 Spine{}", "Bip01 Neck", "Bip01 Head", "Bip01 {} Clavicle", "Bip01 {} UpperArm",
     "Bip01 {} Forearm", "Bip01 {} Hand", "Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} Foot", "Bip01 {} Toe0",
     "L", "R"},
    {"DEF-spine", "DEF-spine.00{1}", "DEF-neck", "DEF-head", "DEF-shoulder.{}", "DEF-upper_arm.{}",
     "DEF-forearm.{}", "DEF-hand.{}", "DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}", "DEF-toe.{}", "L", "R"},
    {"hips", "spine{}", "neck", "head", "shoulder.{}", "upperarm.{}", "lowerarm.{}", "wrist.{}",
     "upperleg.{}", "lowerleg.{}", "foot.{}", "toes.{}", "l", "r"},
    {"Hips", "Spine{}", "Neck", "Head", "{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}UpLeg", "{}Leg",
     "{}Foot", "{}ToeBase", "Left", "Right"},
    {"Hips", "Chest{}", "Neck", "Head", "{}Collar", "{}Shoulder", "{}Elbow", "{}Wrist", "{}Hip", "{}Knee",
     "{}Ankle", "{}Toe", "Left", "Right"},
    {"hip", "abdomen{}", "neck", "head", "{}Collar", "{}Shldr", "{}ForeArm", "{}Hand", "{}Thigh", "{}Shin",
     "{}Foot", "{}Toe", "l", "r"},
    {"mPelvis", "mSpine{}", "mNeck", "mHead", "mCollar{}", "mShoulder{}", "mElbow{}", "mWrist{}", "mHip{}",
     "mKnee{}", "mAnkle{}", "mToe{}", "Left", "Right"},
    {"root", "spine0{}", "neck01", "head", "clavicle.{}", "upperarm01.{}", "lowerarm01.{}", "wrist.{}",
     "upperleg01.{}", "lowerleg01.{}", "foot.{}", "toe1-1.{}", "L", "R"},
};

} // namespace

std::string joint_name(NamingStyle style, BodyJoint joint, unsigned number)
{
    const Words& words = all_words[static_cast<std::size_t>(style)];
    const char* const center[] = {words.hips, words.spine, words.neck, words.head};
    const char* const sided[] = {words.shoulder,  words.upper_arm, words.lower_arm, words.hand,
                                 words.upper_leg, words.lower_leg, words.foot,      words.toes};
    const auto index = static_cast<std::size_t>(joint);
    if (joint == BodyJoint::spine) return fmt::format(fmt::runtime(words.spine), number, number + 1);
    if (index < 4) return center[index];
    const bool right = index >= 12;
    return fmt::format(fmt::runtime(sided[index - (right ? 12 : 4)]), right ? words.right : words.left);
}

std::vector<HumanoidRig> humanoid_rigs()
{
    std::vector<HumanoidRig> rigs(20);
    std::mt19937 random(7);
    const auto vary = [&](float& length, float part) {
        length *= std::uniform_real_distribution<float>(1.0f - part, 1.0f + part)(random);
    };
    for (unsigned i = 1; i < rigs.size(); ++i) {
        auto& rig = rigs[i];
        rig.names = static_cast<NamingStyle>(i % naming_style_count);
        rig.spine_joints = 1 + i % 5;
        rig.arms_down = i % 2 == 1;
        rig.facing = static_cast<float>(i % 4) * glm::radians(90.0f);
        rig.axes_seed = i % 3 == 0 ? 0 : i;
        rig.in_centimeters = i % 5 == 2;
        rig.has_shoulders = i % 7 != 6;
        for (float* length : {&rig.thigh, &rig.shin, &rig.hip_width, &rig.foot_length, &rig.torso,
                              &rig.shoulder_width, &rig.upper_arm, &rig.lower_arm})
            vary(*length, 0.2f);
        vary(rig.height, 0.3f);
        vary(rig.ankle_height, 0.2f);
    }
    return rigs;
}

} // namespace vitrine::test
