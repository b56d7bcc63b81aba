#include "loaders/scene/humanoid/human_bone_map.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

// A scene of the nodes "parent(child,child(grandchild))".
Scene tree(std::string_view text)
{
    Scene scene;
    std::vector<std::uint32_t> above{none};
    std::string name;
    const auto add = [&] {
        if (name.empty()) return;
        scene.nodes.push_back({.name = name, .parent = above.back()});
        name.clear();
    };
    for (const char c : text) {
        if (c == '(') {
            add();
            above.push_back(static_cast<std::uint32_t>(scene.nodes.size() - 1));
        } else if (c == ')' || c == ',') {
            add();
            if (c == ')') above.pop_back();
        } else {
            name += c;
        }
    }
    add();
    return scene;
}

// "bone=name bone=name"
std::string found_in(const Scene& scene)
{
    const auto map = find_human_bones(scene);
    std::string text;
    for (std::size_t i = 1; i < human_bone_count; ++i)
        if (const auto node = map.nodes[i]; node != none)
            text += (text.empty() ? "" : " ") + std::string(name_of(static_cast<HumanBone>(i))) + "=" +
                    scene.nodes[node].name;
    return text;
}

// The name of a joint of the right side.
std::string mirrored(std::string text, std::string_view left, std::string_view right)
{
    for (auto at = text.find(left); at != std::string::npos; at = text.find(left, at + 1))
        if (left.size() > 1 || at == 0 || text[at - 1] == '(' || text[at - 1] == ',')
            text.replace(at, left.size(), right);
    return text;
}

struct Convention {
    std::string_view name;
    std::string_view left, right; // marks of the sides
    std::string_view trunk;       // $ARMS, $LEGS: the limbs of both sides
    std::string_view arm, leg;    // of the left side
    std::string_view bones;       // of the trunk and the left side, space-separated
};

std::string with_limbs(const Convention& convention)
{
    std::string text(convention.trunk);
    for (const auto& [mark, limb] :
         {std::pair{"$ARMS", convention.arm}, std::pair{"$LEGS", convention.leg}}) {
        const auto at = text.find(mark);
        const auto other = mirrored(std::string(limb), convention.left, convention.right);
        text.replace(at, 5, std::string(limb) + "," + other);
    }
    return text;
}

const Convention conventions[] = {
    {"Mixamo", "Left", "Right",
     "mixamorig:Hips($LEGS,mixamorig:Spine(mixamorig:Spine1(mixamorig:Spine2(mixamorig:Neck(mixamorig:Head("
     "mixamorig:HeadTop_End)),$ARMS))))",
     "mixamorig:LeftShoulder(mixamorig:LeftArm(mixamorig:LeftForeArm(mixamorig:LeftHand(mixamorig:"
     "LeftHandThumb1(mixamorig:LeftHandThumb2(mixamorig:LeftHandThumb3(mixamorig:LeftHandThumb4))),mixamorig:"
     "LeftHandIndex1(mixamorig:LeftHandIndex2)))))",
     "mixamorig:LeftUpLeg(mixamorig:LeftLeg(mixamorig:LeftFoot(mixamorig:LeftToeBase(mixamorig:LeftToe_End)))"
     ")",
     "hips=mixamorig:Hips spine=mixamorig:Spine chest=mixamorig:Spine1 upperChest=mixamorig:Spine2 "
     "neck=mixamorig:Neck head=mixamorig:Head "
     "leftUpperLeg=mixamorig:LeftUpLeg leftLowerLeg=mixamorig:LeftLeg leftFoot=mixamorig:LeftFoot "
     "leftToes=mixamorig:LeftToeBase "
     "leftShoulder=mixamorig:LeftShoulder leftUpperArm=mixamorig:LeftArm leftLowerArm=mixamorig:LeftForeArm "
     "leftHand=mixamorig:LeftHand "
     "leftThumbMetacarpal=mixamorig:LeftHandThumb1 leftThumbProximal=mixamorig:LeftHandThumb2 "
     "leftThumbDistal=mixamorig:LeftHandThumb3 "
     "leftIndexProximal=mixamorig:LeftHandIndex1 leftIndexIntermediate=mixamorig:LeftHandIndex2"},
    {"Unreal mannequin", "_l", "_r",
     "root(pelvis(spine_01(spine_02(spine_03($ARMS,neck_01(head)))),$LEGS),ik_foot_root(ik_foot_l,ik_foot_r)"
     ")",
     "clavicle_l(upperarm_l(lowerarm_l(hand_l(index_01_l,thumb_01_l),lowerarm_twist_01_l),upperarm_twist_01_"
     "l))",
     "thigh_l(calf_l(calf_twist_01_l,foot_l(ball_l)),thigh_twist_01_l)",
     "hips=pelvis spine=spine_01 chest=spine_02 upperChest=spine_03 neck=neck_01 head=head "
     "leftUpperLeg=thigh_l leftLowerLeg=calf_l leftFoot=foot_l leftToes=ball_l "
     "leftShoulder=clavicle_l leftUpperArm=upperarm_l leftLowerArm=lowerarm_l leftHand=hand_l "
     "leftThumbMetacarpal=thumb_01_l leftIndexProximal=index_01_l"},
    {"VRoid", "_L_", "_R_",
     "Root(J_Bip_C_Hips($LEGS,J_Bip_C_Spine(J_Bip_C_Chest(J_Bip_C_UpperChest($ARMS,J_Bip_C_Neck(J_Bip_C_Head("
     "J_Adj_L_FaceEye,J_Sec_Hair1)))))))",
     "J_Bip_L_Shoulder(J_Bip_L_UpperArm(J_Bip_L_LowerArm(J_Bip_L_Hand(J_Bip_L_Little1))))",
     "J_Bip_L_UpperLeg(J_Bip_L_LowerLeg(J_Bip_L_Foot(J_Bip_L_ToeBase)))",
     "hips=J_Bip_C_Hips spine=J_Bip_C_Spine chest=J_Bip_C_Chest upperChest=J_Bip_C_UpperChest "
     "neck=J_Bip_C_Neck head=J_Bip_C_Head leftEye=J_Adj_L_FaceEye "
     "leftUpperLeg=J_Bip_L_UpperLeg leftLowerLeg=J_Bip_L_LowerLeg leftFoot=J_Bip_L_Foot "
     "leftToes=J_Bip_L_ToeBase leftShoulder=J_Bip_L_Shoulder "
     "leftUpperArm=J_Bip_L_UpperArm leftLowerArm=J_Bip_L_LowerArm leftHand=J_Bip_L_Hand "
     "leftLittleProximal=J_Bip_L_Little1"},
    {"3ds Max Biped", " L ", " R ",
     "Bip01(Bip01 Pelvis(Bip01 Spine($LEGS,Bip01 Spine1(Bip01 Neck(Bip01 Head(Bip01 HeadNub),$ARMS)))))",
     "Bip01 L Clavicle(Bip01 L UpperArm(Bip01 L Forearm(Bip01 L Hand(Bip01 L Finger0(Bip01 L Finger01),Bip01 "
     "L Finger1(Bip01 L Finger11(Bip01 L Finger12))))))",
     "Bip01 L Thigh(Bip01 L Calf(Bip01 L Foot(Bip01 L Toe0(Bip01 L Toe0Nub))))",
     "hips=Bip01 Pelvis spine=Bip01 Spine chest=Bip01 Spine1 neck=Bip01 Neck head=Bip01 Head "
     "leftUpperLeg=Bip01 L Thigh leftLowerLeg=Bip01 L Calf leftFoot=Bip01 L Foot "
     "leftToes=Bip01 L Toe0 leftShoulder=Bip01 L Clavicle leftUpperArm=Bip01 L UpperArm leftLowerArm=Bip01 L "
     "Forearm leftHand=Bip01 L Hand leftThumbMetacarpal=Bip01 L Finger0 "
     "leftThumbProximal=Bip01 L Finger01 leftIndexProximal=Bip01 L Finger1 leftIndexIntermediate=Bip01 L "
     "Finger11 leftIndexDistal=Bip01 L Finger12"},
    {"Rigify", ".L", ".R",
     "root(DEF-spine(DEF-pelvis.L,$LEGS,DEF-spine.001(DEF-spine.002(DEF-spine.003($ARMS,DEF-spine.004(DEF-"
     "spine.005(DEF-spine.006)))))),MCH-torso(upper_arm_fk.L,hand_ik.L,ORG-spine))",
     "DEF-shoulder.L(DEF-upper_arm.L(DEF-upper_arm.L.001(DEF-forearm.L(DEF-forearm.L.001(DEF-hand.L(DEF-f_"
     "index.01.L))))))",
     "DEF-thigh.L(DEF-thigh.L.001(DEF-shin.L(DEF-shin.L.001(DEF-foot.L(DEF-toe.L)))))",
     "hips=DEF-spine spine=DEF-spine.001 chest=DEF-spine.002 upperChest=DEF-spine.003 neck=DEF-spine.004 "
     "head=DEF-spine.006 leftUpperLeg=DEF-thigh.L leftLowerLeg=DEF-shin.L "
     "leftFoot=DEF-foot.L leftToes=DEF-toe.L leftShoulder=DEF-shoulder.L leftUpperArm=DEF-upper_arm.L "
     "leftLowerArm=DEF-forearm.L leftHand=DEF-hand.L leftIndexProximal=DEF-f_index.01.L"},
    {"KayKit", ".l", ".r",
     "root(hips(spine(chest($ARMS,head)),$LEGS),kneeIK.l,control-foot-roll.l,IK-foot.l,handIK.l)",
     "upperarm.l(lowerarm.l(wrist.l(hand.l(handslot.l))))", "upperleg.l(lowerleg.l(foot.l(toes.l)))",
     "hips=hips spine=spine chest=chest head=head leftUpperLeg=upperleg.l leftLowerLeg=lowerleg.l "
     "leftFoot=foot.l leftToes=toes.l leftUpperArm=upperarm.l leftLowerArm=lowerarm.l leftHand=wrist.l"},
    {"MakeHuman", ".L", ".R",
     "root(spine05(spine04(spine03(spine02(spine01($ARMS,neck01(neck02(neck03(head(jaw,eye.L))))))))),$LEGS)",
     "clavicle.L(shoulder01.L(upperarm01.L(upperarm02.L(lowerarm01.L(lowerarm02.L(wrist.L(finger1-1.L("
     "finger1-2.L),metacarpal1.L(finger2-1.L))))))))",
     "pelvis.L(upperleg01.L(upperleg02.L(lowerleg01.L(lowerleg02.L(foot.L(toe1-1.L,toe2-1.L))))))",
     "hips=root spine=spine05 chest=spine03 upperChest=spine01 neck=neck01 head=head leftEye=eye.L jaw=jaw "
     "leftUpperLeg=upperleg01.L leftLowerLeg=lowerleg01.L leftFoot=foot.L "
     "leftToes=toe1-1.L leftShoulder=clavicle.L leftUpperArm=upperarm01.L leftLowerArm=lowerarm01.L "
     "leftHand=wrist.L leftThumbMetacarpal=finger1-1.L leftThumbProximal=finger1-2.L "
     "leftIndexProximal=finger2-1.L"},
    {"CMU", "Left", "Right", "Hips($LEGS,LowerBack(Spine(Spine1(Neck(Neck1(Head)),$ARMS))))",
     "LeftShoulder(LeftArm(LeftForeArm(LeftHand(LeftFingerBase(LeftHandIndex1),LeftThumb))))",
     "LHipJoint(LeftUpLeg(LeftLeg(LeftFoot(LeftToeBase))))",
     "hips=Hips spine=LowerBack chest=Spine upperChest=Spine1 neck=Neck head=Head leftUpperLeg=LeftUpLeg "
     "leftLowerLeg=LeftLeg leftFoot=LeftFoot leftToes=LeftToeBase "
     "leftShoulder=LeftShoulder leftUpperArm=LeftArm leftLowerArm=LeftForeArm leftHand=LeftHand "
     "leftThumbMetacarpal=LeftThumb leftIndexProximal=LeftHandIndex1"},
    {"joints named by the joint", "Left", "Right", "Hips(Ab(Chest(Neck(Head),$ARMS)),$LEGS)",
     "LeftCollar(LeftShoulder(LeftElbow(LeftWrist)))", "LeftHip(LeftKnee(LeftAnkle(LeftToes)))",
     "hips=Hips spine=Ab chest=Chest neck=Neck head=Head leftUpperLeg=LeftHip leftLowerLeg=LeftKnee "
     "leftFoot=LeftAnkle leftToes=LeftToes leftShoulder=LeftCollar leftUpperArm=LeftShoulder "
     "leftLowerArm=LeftElbow leftHand=LeftWrist"},
    {"DAZ", "l", "r",
     "hip(pelvis($LEGS),abdomenLower(abdomenUpper(chestLower(chestUpper(neckLower(neckUpper(head)),$ARMS))))"
     ")",
     "lCollar(lShldrBend(lShldrTwist(lForearmBend(lForearmTwist(lHand(lCarpal1(lIndex1(lIndex2))))))))",
     "lThighBend(lThighTwist(lShin(lFoot(lToe))))",
     "hips=hip spine=abdomenLower chest=chestLower upperChest=chestUpper neck=neckLower head=head "
     "leftUpperLeg=lThighBend leftLowerLeg=lShin leftFoot=lFoot leftToes=lToe leftShoulder=lCollar "
     "leftUpperArm=lShldrBend leftLowerArm=lForearmBend leftHand=lHand leftIndexProximal=lIndex1 "
     "leftIndexIntermediate=lIndex2"},
    {"Second Life", "Left", "Right", "mPelvis(mTorso(mChest(mNeck(mHead(mSkull,mEyeLeft)),$ARMS)),$LEGS)",
     "mCollarLeft(mShoulderLeft(mElbowLeft(mWristLeft(mHandIndex1Left))))",
     "mHipLeft(mKneeLeft(mAnkleLeft(mFootLeft(mToeLeft))))",
     "hips=mPelvis spine=mTorso chest=mChest neck=mNeck head=mHead leftEye=mEyeLeft leftUpperLeg=mHipLeft "
     "leftLowerLeg=mKneeLeft leftFoot=mAnkleLeft leftToes=mToeLeft leftShoulder=mCollarLeft "
     "leftUpperArm=mShoulderLeft leftLowerArm=mElbowLeft leftHand=mWristLeft "
     "leftIndexProximal=mHandIndex1Left"},
    {"one word per limb", "_L", "_R",
     "torso_joint_1(torso_joint_2(torso_joint_3(neck_joint_1(neck_joint_2),$ARMS)),$LEGS)",
     "arm_joint_L__4_(arm_joint_L__3_(arm_joint_L__2_))",
     "leg_joint_L_1(leg_joint_L_2(leg_joint_L_3(leg_joint_L_5)))",
     "hips=torso_joint_1 spine=torso_joint_2 chest=torso_joint_3 neck=neck_joint_1 "
     "leftUpperLeg=leg_joint_L_1 leftLowerLeg=leg_joint_L_2 leftFoot=leg_joint_L_3 leftToes=leg_joint_L_5 "
     "leftUpperArm=arm_joint_L__4_ leftLowerArm=arm_joint_L__3_ leftHand=arm_joint_L__2_"},
};

TEST(HumanBoneMap, KnowsTheNamesOfCommonRigs)
{
    for (const Convention& convention : conventions) {
        SCOPED_TRACE(convention.name);
        const Scene scene = tree(with_limbs(convention));
        const auto map = find_human_bones(scene);
        EXPECT_TRUE(map.is_humanoid());
        std::string left;
        for (std::size_t i = 1; i < human_bone_count; ++i) {
            const auto bone = std::string(name_of(static_cast<HumanBone>(i)));
            if (map.nodes[i] == none || bone.starts_with("right")) continue;
            left += (left.empty() ? "" : " ") + bone + "=" + scene.nodes[map.nodes[i]].name;
        }
        EXPECT_EQ(left, convention.bones);
        for (std::size_t i = 1; i < human_bone_count; ++i) {
            const std::string bone(name_of(static_cast<HumanBone>(i)));
            if (!bone.starts_with("left") || bone == "leftEye" || map.nodes[i] == none) continue;
            const auto right = map[*find_human_bone("right" + bone.substr(4))];
            ASSERT_NE(right, none) << bone;
            EXPECT_EQ(scene.nodes[right].name,
                      mirrored(scene.nodes[map.nodes[i]].name, convention.left, convention.right));
        }
    }
}

constexpr std::string_view plain_body =
    "Hips(Spine(LeftArm(LeftForeArm),RightArm(RightForeArm)),LeftUpLeg(LeftLeg),RightUpLeg(RightLeg))";

TEST(HumanBoneMap, CaseNamespacesAndSeparatorsDoNotMatter)
{
    const auto plain = find_human_bones(tree(plain_body)).nodes;
    for (const std::string_view text :
         {"HIPS(SPINE(LEFT_ARM(LEFT_FOREARM),RIGHT_ARM(RIGHT_FOREARM)),LEFT_UPLEG(LEFT_LEG),RIGHT_UPLEG("
          "RIGHT_LEG))",
          "hips(spine(leftarm(leftforearm),rightarm(rightforearm)),leftupleg(leftleg),rightupleg(rightleg))",
          "mixamorig7:Hips(a|Spine(a|b:Left-Arm(left.fore.arm),rig_RightArm(jnt "
          "RightForeArm)),l_thigh(l_shin),thighR(shin_r))"})
        EXPECT_EQ(find_human_bones(tree(text)).nodes, plain) << text;
}

TEST(HumanBoneMap, DeclaredBonesTakePrecedence)
{
    Scene scene = tree("a(b,Hips(LeftUpLeg))");
    scene.nodes[0].human_bone = HumanBone::hips;
    scene.nodes[1].human_bone = HumanBone::left_upper_leg;
    EXPECT_EQ(found_in(scene), "hips=a leftUpperLeg=b");
}

TEST(HumanBoneMap, PrefersJointsOfSkins)
{
    Scene scene = tree("controls(" + std::string(plain_body) + ")," + std::string(plain_body));
    Skin skin;
    for (std::uint32_t node = 11; node < scene.nodes.size(); ++node)
        skin.joints.push_back(node);
    skin.inverse_bind.resize(skin.joints.size(), glm::mat4(1.0f));
    EXPECT_EQ(find_human_bones(scene)[HumanBone::hips], 1u);
    scene.skins.push_back(skin);
    EXPECT_EQ(find_human_bones(scene)[HumanBone::hips], 11u);
    EXPECT_EQ(find_human_bones(scene)[HumanBone::right_lower_leg], 20u);
}

TEST(HumanBoneMap, OtherModelsHaveNoBones)
{
    EXPECT_EQ(found_in(tree("root(wheel_l,wheel_r,door(handle))")), "");
    EXPECT_FALSE(find_human_bones(tree("root(LeftFoot,LeftArm,Head)")).is_humanoid());
    // Each leg is there, but the lower one is not below the upper one.
    EXPECT_FALSE(
        find_human_bones(
            tree("Hips(LeftUpLeg,LeftLeg,RightUpLeg,RightLeg,LeftArm(LeftForeArm),RightArm(RightForeArm))"))
            .is_humanoid());
}

TEST(HumanBoneMap, ManyJointsOfOneNameAreBounded)
{
    Scene scene;
    for (std::uint32_t i = 0; i < 200'000; ++i)
        scene.nodes.push_back(
            {.name = i % 2 == 0 ? "LeftForeArm" : "LeftArm", .parent = i == 0 ? none : i - 1});
    EXPECT_FALSE(find_human_bones(scene).is_humanoid());
}

} // namespace
} // namespace vitrine::scene
