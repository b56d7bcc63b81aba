#include "tests/support/humanoid/humanoid_rigs.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/humanoid/humanoid_motion.hpp"
#include "tests/support/humanoid/humanoid_names.hpp"

namespace vitrine::test {
namespace {

using scene::none;

constexpr glm::quat no_turn(1, 0, 0, 0);

struct RigJoint {
    BodyJoint joint = BodyJoint::hips;
    std::uint32_t parent = none; // index of a joint
    glm::vec3 offset{0.0f};      // from the parent, arms stretched out, facing +Z
    unsigned number = 0;         // of the spine
    glm::quat axes = no_turn;    // of the joint, arms stretched out
};

// Where a side has its mirror image.
glm::vec3 at_side(bool left, float x, float y, float z)
{
    return {left ? x : -x, y, z};
}

BodyJoint of_side(BodyJoint left_joint, bool left)
{
    return static_cast<BodyJoint>(static_cast<int>(left_joint) + (left ? 0 : 8));
}

std::uint32_t add(std::vector<RigJoint>& joints, BodyJoint joint, std::uint32_t parent,
                  const glm::vec3& offset, unsigned number = 0)
{
    joints.push_back({.joint = joint, .parent = parent, .offset = offset, .number = number});
    return static_cast<std::uint32_t>(joints.size() - 1);
}

void add_arm(std::vector<RigJoint>& joints, const HumanoidRig& rig, std::uint32_t chest, bool left)
{
    const float reach = rig.has_shoulders ? rig.shoulder_width - 0.03f : rig.shoulder_width;
    if (rig.has_shoulders)
        chest = add(joints, of_side(BodyJoint::left_shoulder, left), chest, at_side(left, 0.03f, 0.1f, 0.0f));
    const float rise = rig.has_shoulders ? 0.0f : 0.1f;
    auto above =
        add(joints, of_side(BodyJoint::left_upper_arm, left), chest, at_side(left, reach, rise, 0.0f));
    above = add(joints, of_side(BodyJoint::left_lower_arm, left), above,
                at_side(left, rig.upper_arm, 0.0f, 0.0f));
    add(joints, of_side(BodyJoint::left_hand, left), above, at_side(left, rig.lower_arm, 0.0f, 0.0f));
}

void add_leg(std::vector<RigJoint>& joints, const HumanoidRig& rig, bool left)
{
    auto above =
        add(joints, of_side(BodyJoint::left_upper_leg, left), 0, at_side(left, rig.hip_width, -0.05f, 0.0f));
    above = add(joints, of_side(BodyJoint::left_lower_leg, left), above, {0.0f, -rig.thigh, 0.0f});
    above = add(joints, of_side(BodyJoint::left_foot, left), above, {0.0f, -rig.shin, 0.0f});
    add(joints, of_side(BodyJoint::left_toes, left), above,
        {0.0f, 0.02f - rig.ankle_height, rig.foot_length});
}

std::vector<RigJoint> make_joints(const HumanoidRig& rig)
{
    std::vector<RigJoint> joints;
    auto spine =
        add(joints, BodyJoint::hips, none, {0.0f, rig.thigh + rig.shin + rig.ankle_height + 0.05f, 0.0f});
    for (unsigned i = 0; i < rig.spine_joints; ++i)
        spine = add(joints, BodyJoint::spine, spine,
                    {0.0f, rig.torso / static_cast<float>(rig.spine_joints + 1), 0.0f}, i);
    const auto neck = add(joints, BodyJoint::neck, spine, {0.0f, 0.15f, 0.0f});
    add(joints, BodyJoint::head, neck, {0.0f, 0.1f, 0.02f});
    for (const bool left : {true, false}) {
        add_arm(joints, rig, spine, left);
        add_leg(joints, rig, left);
    }
    std::mt19937 random(rig.axes_seed);
    std::uniform_real_distribution<float> component(-1.0f, 1.0f);
    for (auto& joint : joints)
        if (rig.axes_seed != 0)
            joint.axes = glm::normalize(
                glm::quat(component(random), component(random), component(random), component(random) + 0.1f));
    return joints;
}

bool is_right(BodyJoint joint)
{
    return joint >= BodyJoint::right_shoulder;
}

// Left joint of the same kind.
BodyJoint kind_of(BodyJoint joint)
{
    return is_right(joint) ? static_cast<BodyJoint>(static_cast<int>(joint) - 8) : joint;
}

glm::quat spine_turn(const BodyState& body, double fraction)
{
    return glm::slerp(body.hips_turn, body.chest, static_cast<float>(fraction));
}

// Turns since the stretched pose, for all but the legs.
glm::quat turn_of(const RigJoint& joint, const BodyState& body, unsigned spine_joints)
{
    const std::size_t side = is_right(joint.joint) ? 1 : 0;
    switch (kind_of(joint.joint)) {
    case BodyJoint::hips: return body.hips_turn;
    case BodyJoint::spine: return spine_turn(body, (joint.number + 1.0) / spine_joints);
    case BodyJoint::neck:
    case BodyJoint::left_shoulder: return body.chest;
    case BodyJoint::head: return body.head;
    case BodyJoint::left_upper_arm: return body.upper_arms[side];
    case BodyJoint::left_lower_arm: return body.lower_arms[side];
    case BodyJoint::left_hand: return body.hands[side];
    default: return body.feet[side].turn; // legs are turned afterwards
    }
}

struct PosedRig {
    std::vector<glm::quat> turns;
    std::vector<glm::vec3> at;
};

void place_joints(const std::vector<RigJoint>& joints, PosedRig& posed)
{
    posed.at.resize(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto parent = joints[i].parent;
        if (parent != none) posed.at[i] = posed.at[parent] + posed.turns[parent] * joints[i].offset;
    }
}

// Bends the leg that begins at `hip` so that the toes are where the foot has them.
void bend_leg(const HumanoidRig& rig, const FootState& foot, std::size_t hip, const glm::vec3& front,
              PosedRig& posed)
{
    const float leg = rig.thigh + rig.shin;
    const glm::vec3 toes = foot.toes * leg + glm::vec3(0.0f, 0.02f, 0.0f);
    const glm::vec3 ankle = toes - foot.turn * glm::vec3(0.0f, 0.02f - rig.ankle_height, rig.foot_length);
    const glm::vec3 way = ankle - posed.at[hip];
    const float reach = std::min(glm::length(way), 0.9999f * leg);
    const glm::vec3 along = glm::normalize(way);
    const glm::vec3 side = glm::normalize(front - along * glm::dot(front, along));
    const float down = (rig.thigh * rig.thigh - rig.shin * rig.shin + reach * reach) / (2.0f * reach);
    const glm::vec3 knee =
        along * down + side * std::sqrt(std::max(rig.thigh * rig.thigh - down * down, 0.0f));
    // The knee turns about one axis, so the thigh's turn follows from the plane of the leg.
    const auto turn_to = [&](const glm::vec3& bone) {
        const glm::vec3 y = -glm::normalize(bone), x = glm::normalize(glm::cross(y, side + 0.001f * front));
        return glm::quat_cast(glm::mat3(x, y, glm::cross(x, y)));
    };
    posed.turns[hip] = turn_to(knee);
    posed.turns[hip + 1] = turn_to(along * reach - knee);
}

PosedRig pose_rig(const HumanoidRig& rig, const std::vector<RigJoint>& joints, const BodyState& body)
{
    PosedRig posed;
    for (const auto& joint : joints)
        posed.turns.push_back(turn_of(joint, body, rig.spine_joints));
    posed.at.resize(joints.size());
    const glm::vec3 hip_joints = body.hips * (rig.thigh + rig.shin) + glm::vec3(0.0f, rig.ankle_height, 0.0f);
    posed.at[0] = hip_joints - body.hips_turn * glm::vec3(0.0f, -0.05f, 0.0f);
    place_joints(joints, posed);
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (kind_of(joints[i].joint) == BodyJoint::left_upper_leg)
            bend_leg(rig, body.feet[is_right(joints[i].joint)], i, body.hips_turn * glm::vec3(0, 0, 1),
                     posed);
    place_joints(joints, posed);
    return posed;
}

// The pose of the file: standing, arms stretched out or down.
PosedRig rest_pose(const HumanoidRig& rig, const std::vector<RigJoint>& joints)
{
    PosedRig posed;
    for (const auto& joint : joints) {
        const auto kind = kind_of(joint.joint);
        const bool is_arm = kind == BodyJoint::left_upper_arm || kind == BodyJoint::left_lower_arm ||
                            kind == BodyJoint::left_hand;
        const float angle = glm::radians(is_right(joint.joint) ? 45.0f : -45.0f);
        posed.turns.push_back(rig.arms_down && is_arm ? glm::angleAxis(angle, glm::vec3(0, 0, 1)) : no_turn);
    }
    posed.at = {joints[0].offset};
    place_joints(joints, posed);
    return posed;
}

// Writes poses as local transforms of the nodes.
class RigWriter {
public:
    RigWriter(const HumanoidRig& rig, const std::vector<RigJoint>& joints)
        : joints_(joints), facing_(glm::angleAxis(rig.facing, glm::vec3(0, 1, 0))), size_(rig.height / 1.8f)
    {
        if (rig.in_centimeters)
            root_ = {{0, 0, 0}, glm::angleAxis(glm::radians(-90.0f), glm::vec3(1, 0, 0)), glm::vec3(0.01f)};
        has_root_ = rig.in_centimeters;
    }

    std::uint32_t first() const { return has_root_ ? 1 : 0; }
    const scene::Trs& root() const { return root_; }

    scene::Trs local(const PosedRig& posed, std::size_t i) const
    {
        const auto parent = joints_[i].parent;
        const glm::quat own = facing_ * posed.turns[i] * joints_[i].axes;
        if (parent == none) {
            const glm::quat up = glm::conjugate(root_.rotation);
            return {up * (facing_ * posed.at[i] * size_) / root_.scale.x, up * own, glm::vec3(1.0f)};
        }
        const glm::quat above = facing_ * posed.turns[parent] * joints_[parent].axes;
        return {glm::conjugate(joints_[parent].axes) * joints_[i].offset * size_ / root_.scale.x,
                glm::normalize(glm::conjugate(above) * own), glm::vec3(1.0f)};
    }

private:
    const std::vector<RigJoint>& joints_;
    glm::quat facing_;
    float size_;
    bool has_root_ = false;
    scene::Trs root_;
};

scene::Clip make_clip(const HumanoidRig& rig, const std::vector<RigJoint>& joints, const RigWriter& writer,
                      std::size_t motion)
{
    scene::Clip clip{.name = motion_name(motion),
                     .duration = (motion_frames - 1.0) / motion_frame_rate,
                     .frame_rate = motion_frame_rate,
                     .frames = motion_frames,
                     .channels = {}};
    std::vector<float> times, hips;
    std::vector<std::vector<float>> rotations(joints.size());
    for (int frame = 0; frame < motion_frames; ++frame) {
        const double time = static_cast<double>(frame) / motion_frame_rate;
        times.push_back(static_cast<float>(time));
        const auto posed = pose_rig(rig, joints, body_state(motion, time));
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const auto local = writer.local(posed, i);
            const auto& q = local.rotation;
            rotations[i].insert(rotations[i].end(), {q.x, q.y, q.z, q.w});
            if (i == 0)
                hips.insert(hips.end(), {local.translation.x, local.translation.y, local.translation.z});
        }
    }
    clip.channels.push_back(
        {.node = writer.first(), .path = scene::Path::translation, .times = times, .values = hips});
    for (std::uint32_t i = 0; i < joints.size(); ++i)
        clip.channels.push_back({.node = writer.first() + i,
                                 .path = scene::Path::rotation,
                                 .times = times,
                                 .values = rotations[i]});
    return clip;
}

} // namespace

scene::Scene make_humanoid(const HumanoidRig& rig)
{
    const auto joints = make_joints(rig);
    const RigWriter writer(rig, joints);
    scene::Scene scene;
    scene.format = "gltf";
    if (writer.first() == 1) scene.nodes.push_back({.name = "Armature", .local = writer.root()});
    const auto rest = rest_pose(rig, joints);
    scene::Skin skin;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto parent = joints[i].parent;
        const std::uint32_t above = parent != none ? parent + writer.first() : writer.first() == 1 ? 0 : none;
        skin.joints.push_back(static_cast<std::uint32_t>(scene.nodes.size()));
        scene.nodes.push_back({.name = joint_name(rig.names, joints[i].joint, joints[i].number),
                               .parent = above,
                               .local = writer.local(rest, i)});
    }
    skin.inverse_bind.resize(skin.joints.size(), glm::mat4(1.0f));
    scene.skins.push_back(std::move(skin));
    for (std::size_t motion = 0; motion < motion_count; ++motion)
        scene.clips.push_back(make_clip(rig, joints, writer, motion));
    return scene;
}

std::vector<std::array<bool, 2>> standing_feet(std::size_t motion)
{
    std::vector<std::array<bool, 2>> stands;
    for (int frame = 0; frame < motion_frames; ++frame) {
        const auto body = body_state(motion, static_cast<double>(frame) / motion_frame_rate);
        stands.push_back({body.feet[0].stands, body.feet[1].stands});
    }
    return stands;
}

} // namespace vitrine::test
