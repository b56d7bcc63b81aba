#include "loaders/export/bvh/bvh_writer.hpp"

#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/motion/sample_poses.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

constexpr double units_per_meter = 100.0;
constexpr double still_distance = 1e-3; // units

struct JointPlacement { // model space, units
    glm::dvec3 position{0.0};
    glm::dmat3 rotation{1.0}; // since the static pose
};

struct BvhJoint {
    std::uint32_t node = none;
    std::uint32_t parent = none; // joint
    std::vector<std::uint32_t> children;
    glm::dvec3 offset{0.0}; // from the parent in the static pose, or constant in the clip; units
    bool moves = false;     // has position channels, and an OFFSET of zero
};

glm::dvec3 position_of(const scene::Pose& pose, std::uint32_t node)
{
    return units_per_meter * glm::dvec3(pose.model[node][3]);
}

glm::dquat rotation_of(const scene::Pose& pose, std::uint32_t node)
{
    const glm::dmat3 m(pose.model[node]);
    return glm::normalize(
        glm::quat_cast(glm::dmat3(glm::normalize(m[0]), glm::normalize(m[1]), glm::normalize(m[2]))));
}

// The angles z, x, y in degrees of a rotation Rz * Rx * Ry.
glm::dvec3 angles_of(const glm::dmat3& m)
{
    const double sine = glm::clamp(m[1][2], -1.0, 1.0);
    if (std::abs(sine) > 1.0 - 1e-9) // y turns about the axis of z
        return glm::degrees(glm::dvec3(std::atan2(m[0][1], m[0][0]), std::asin(sine), 0.0));
    return glm::degrees(
        glm::dvec3(std::atan2(-m[1][0], m[1][1]), std::asin(sine), std::atan2(-m[0][2], m[2][2])));
}

class BvhWriter {
public:
    BvhWriter(const scene::Scene& scene, std::uint32_t clip) : scene_(scene), clip_(clip) { list_joints(); }

    std::string run();

private:
    std::vector<bool> joint_nodes(const std::vector<std::uint32_t>& parents) const;
    void list_joints();
    void add_frame(const scene::Pose& pose);
    void write_joint(std::uint32_t joint);
    void write_end_site(const BvhJoint& joint, const std::string& indent);
    void write_frames(double frame_time);
    // Relative to the parent.
    glm::dvec3 local_position(std::uint32_t joint, const std::vector<JointPlacement>& frame) const;
    glm::dmat3 local_rotation(std::uint32_t joint, const std::vector<JointPlacement>& frame) const;
    template <class... Values>
    void put(fmt::format_string<Values...> format, const Values&... values)
    {
        fmt::vformat_to(std::back_inserter(text_), format, fmt::make_format_args(values...));
    }

    const scene::Scene& scene_;
    std::uint32_t clip_;
    std::vector<BvhJoint> joints_; // parents precede children
    std::vector<glm::dquat> rest_; // by joint: rotation in the static pose
    std::vector<std::vector<JointPlacement>> frames_;
    std::vector<std::uint32_t> written_; // joints in the order of the file
    std::string text_;
    std::string indent_;
};

// By node, without roots on the ground that only hold the hips: their bone would look like a leg.
std::vector<bool> BvhWriter::joint_nodes(const std::vector<std::uint32_t>& parents) const
{
    std::vector<bool> is_joint(scene_.nodes.size(), false), is_animated = is_joint;
    for (const scene::Skin& skin : scene_.skins)
        for (const std::uint32_t node : skin.joints)
            is_joint[scene::file_node(scene_, node)] = true;
    for (const scene::Channel& channel : scene_.clips[clip_].channels)
        is_animated[scene::file_node(scene_, channel.node)] = true;
    std::vector<std::uint32_t> children(scene_.nodes.size(), 0);
    for (std::uint32_t node = 0; node < parents.size(); ++node)
        if (is_joint[node] && parents[node] != none) ++children[parents[node]];
    for (std::uint32_t node = 0; node < parents.size(); ++node)
        if (parents[node] == none && !is_animated[node] && children[node] == 1) is_joint[node] = false;
    return is_joint;
}

void BvhWriter::list_joints()
{
    scene::Pose rest;
    scene::static_pose(scene_, rest);
    const auto parents = scene::file_parents(scene_);
    const auto is_joint = joint_nodes(parents);
    std::vector<std::uint32_t> joint_of(scene_.nodes.size(), none);
    for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
        if (!is_joint[node]) continue;
        std::uint32_t parent = parents[node];
        while (parent != none && !is_joint[parent])
            parent = parents[parent];
        BvhJoint joint{.node = node, .parent = parent == none ? none : joint_of[parent], .children = {}};
        joint.offset = position_of(rest, node);
        if (parent != none) {
            joint.offset -= position_of(rest, parent);
            joints_[joint.parent].children.push_back(static_cast<std::uint32_t>(joints_.size()));
        }
        joint_of[node] = static_cast<std::uint32_t>(joints_.size());
        rest_.push_back(rotation_of(rest, node));
        joints_.push_back(std::move(joint));
    }
}

void BvhWriter::add_frame(const scene::Pose& pose)
{
    std::vector<JointPlacement> frame;
    for (std::size_t j = 0; j < joints_.size(); ++j)
        frame.push_back({position_of(pose, joints_[j].node),
                         glm::mat3_cast(rotation_of(pose, joints_[j].node) * glm::inverse(rest_[j]))});
    for (std::uint32_t j = 0; j < joints_.size(); ++j) {
        BvhJoint& joint = joints_[j];
        const glm::dvec3 position = local_position(j, frame);
        const bool leaves_offset = glm::distance(position, joint.offset) > still_distance;
        if (leaves_offset && frames_.empty()) joint.offset = position;
        joint.moves = joint.moves || joint.parent == none || (leaves_offset && !frames_.empty());
    }
    frames_.push_back(std::move(frame));
}

glm::dvec3 BvhWriter::local_position(std::uint32_t joint, const std::vector<JointPlacement>& frame) const
{
    const std::uint32_t parent = joints_[joint].parent;
    if (parent == none) return frame[joint].position;
    return glm::transpose(frame[parent].rotation) * (frame[joint].position - frame[parent].position);
}

glm::dmat3 BvhWriter::local_rotation(std::uint32_t joint, const std::vector<JointPlacement>& frame) const
{
    const std::uint32_t parent = joints_[joint].parent;
    if (parent == none) return frame[joint].rotation;
    return glm::transpose(frame[parent].rotation) * frame[joint].rotation;
}

// Half as long as the bone to the joint.
void BvhWriter::write_end_site(const BvhJoint& joint, const std::string& indent)
{
    const glm::dvec3 end = 0.5 * joint.offset;
    put("{0}End Site\n{0}{{\n{0}\tOFFSET {1:.6f} {2:.6f} {3:.6f}\n{0}}}\n", indent, end.x, end.y, end.z);
}

// Without recursion: rigs may be chains of any length.
void BvhWriter::write_joint(std::uint32_t root)
{
    struct Open {
        std::uint32_t joint;
        std::size_t next_child;
    };
    std::vector<Open> open;
    const auto begin = [&](std::uint32_t j) {
        const BvhJoint& joint = joints_[j];
        const std::string indent(open.size(), '\t');
        const glm::dvec3 offset = joint.moves ? glm::dvec3(0.0) : joint.offset;
        put("{0}{1} {2}\n{0}{{\n{0}\tOFFSET {3:.6f} {4:.6f} {5:.6f}\n", indent,
            open.empty() ? "ROOT" : "JOINT", scene_.nodes[joint.node].name, offset.x, offset.y, offset.z);
        put("{}\tCHANNELS {} {}Zrotation Xrotation Yrotation\n", indent, joint.moves ? 6 : 3,
            joint.moves ? "Xposition Yposition Zposition " : "");
        if (joint.children.empty()) write_end_site(joint, indent + '\t');
        written_.push_back(j);
        open.push_back({j, 0});
    };
    begin(root);
    while (!open.empty()) {
        const auto& children = joints_[open.back().joint].children;
        if (open.back().next_child < children.size()) {
            begin(children[open.back().next_child++]);
            continue;
        }
        open.pop_back();
        put("{}}}\n", std::string(open.size(), '\t'));
    }
}

void BvhWriter::write_frames(double frame_time)
{
    put("MOTION\nFrames: {}\nFrame Time: {}\n", frames_.size(), frame_time);
    for (const auto& frame : frames_) {
        std::string_view separator;
        const auto values = [&](const glm::dvec3& v) {
            put("{}{:.6f} {:.6f} {:.6f}", separator, v.x, v.y, v.z);
            separator = " ";
        };
        for (const std::uint32_t j : written_) {
            if (joints_[j].moves) values(local_position(j, frame));
            values(angles_of(local_rotation(j, frame)));
        }
        text_ += '\n';
    }
}

std::string BvhWriter::run()
{
    const scene::Clip& clip = scene_.clips[clip_];
    const double rate = scene::frame_rate_or_default(clip);
    std::vector<double> times;
    for (long f = 0; f <= std::lround(clip.duration * rate); ++f)
        times.push_back(static_cast<double>(f) / rate);
    scene::visit_poses(scene_, clip_, times, glm::dvec3(0.0),
                       [&](std::size_t, const scene::Pose& pose) { add_frame(pose); });
    text_ = "HIERARCHY\n";
    for (std::uint32_t j = 0; j < joints_.size(); ++j)
        if (joints_[j].parent == none) write_joint(j);
    write_frames(1.0 / rate);
    return std::move(text_);
}

} // namespace

std::string write_bvh(const scene::Scene& scene, std::uint32_t clip)
{
    return BvhWriter(scene, clip).run();
}

} // namespace vitrine::exporting
