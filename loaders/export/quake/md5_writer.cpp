#include "loaders/export/quake/md5_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "loaders/export/material_picture.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/export/quake/quake_axes.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {

namespace {

using scene::none;

struct Joint {
    std::string name;
    std::uint32_t node;   // of the scene; none: the origin joint
    std::uint32_t parent; // joint; none: for the origin joint
    glm::mat4 bind;       // model space of the file
};

struct Skeleton {
    glm::mat4 to_file; // from scene space
    std::vector<Joint> joints;

    // Converts a model-space transform to file space: changes the axes on both sides.
    glm::mat4 in_file_axes(const glm::mat4& matrix) const
    {
        return to_file * matrix * glm::transpose(to_file);
    }
};

struct Placement {
    glm::vec3 position;
    glm::vec3 orientation; // x y z of a unit quaternion with w <= 0, as readers assume
};

Placement placement_of(const glm::mat4& matrix)
{
    const auto trs = scene::decompose(matrix);
    const auto q = glm::normalize(trs.rotation);
    const float sign = q.w > 0.0f ? -1.0f : 1.0f;
    return {trs.translation, sign * glm::vec3(q.x, q.y, q.z)};
}

Skeleton skeleton_of(const scene::Scene& scene)
{
    Skeleton skeleton{glm::mat4(quake_axes(scene)), {{"origin", none, none, glm::mat4(1.0f)}}};
    if (scene.skins.empty()) return skeleton;
    auto& joints = skeleton.joints;
    const auto& skin = scene.skins.front();
    std::vector<std::uint32_t> order(skin.joints.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return skin.joints[i]; }); // parents before children
    std::vector<std::uint32_t> joint_of_node(scene.nodes.size(), none);
    const auto parents = scene::file_parents(scene);
    for (const auto i : order) {
        const auto node = skin.joints[i];
        auto ancestor = parents[node];
        while (ancestor != none && joint_of_node[ancestor] == none)
            ancestor = parents[ancestor];
        const auto parent = ancestor == none ? 0u : joint_of_node[ancestor];
        joint_of_node[node] = static_cast<std::uint32_t>(joints.size());
        joints.push_back({scene.nodes[node].name, node, parent,
                          skeleton.in_file_axes(glm::inverse(skin.inverse_bind[i]))});
    }
    return skeleton;
}

std::string quoted(std::string text)
{
    std::erase(text, '"');
    return '"' + text + '"';
}

class MeshText {
public:
    MeshText(const scene::Scene& scene, const Skeleton& skeleton)
        : scene_(scene), instances_(scene::find_instances(scene)), to_file_(skeleton.to_file),
          joints_(skeleton.joints)
    {
        scene::rest_pose(scene, rest_);
        if (scene.skins.empty()) return;
        joint_of_influence_.resize(scene.skins.front().joints.size());
        for (std::uint32_t j = 1; j < joints_.size(); ++j)
            for (std::size_t i = 0; i < joint_of_influence_.size(); ++i)
                if (scene.skins.front().joints[i] == joints_[j].node) joint_of_influence_[i] = j;
    }

    std::string write();

private:
    void write_joints();
    void write_mesh(const scene::Instance& instance, const scene::Primitive& primitive);
    void write_vertex(const scene::Instance& instance, std::uint32_t vertex, std::size_t number);
    void add_weight(glm::vec3 position, std::uint32_t joint, float bias);
    std::size_t mesh_count() const;

    const scene::Scene& scene_;
    scene::Pose rest_;
    std::vector<scene::Instance> instances_;
    const glm::mat4& to_file_;
    const std::vector<Joint>& joints_;
    std::vector<std::uint32_t> joint_of_influence_;
    std::string text_;
    std::string weights_;
    std::size_t weight_count_ = 0;
};

std::back_insert_iterator<std::string> end_of(std::string& text)
{
    return std::back_inserter(text);
}

void MeshText::write_joints()
{
    text_ += "joints {\n";
    for (const auto& joint : joints_) {
        const auto [p, q] = placement_of(joint.bind);
        const int parent = joint.parent == none ? -1 : static_cast<int>(joint.parent);
        fmt::format_to(end_of(text_), "\t{} {} ( {} {} {} ) ( {} {} {} )\n", quoted(joint.name), parent, p.x,
                       p.y, p.z, q.x, q.y, q.z);
    }
    text_ += "}\n";
}

void MeshText::add_weight(glm::vec3 position, std::uint32_t joint, float bias)
{
    const auto local = glm::inverse(joints_[joint].bind) * to_file_ * glm::vec4(position, 1.0f);
    fmt::format_to(end_of(weights_), "\tweight {} {} {} ( {} {} {} )\n", weight_count_++, joint, bias,
                   local.x, local.y, local.z);
}

void MeshText::write_vertex(const scene::Instance& instance, std::uint32_t vertex, std::size_t number)
{
    const auto first_weight = weight_count_;
    const auto& mesh = scene_.meshes[instance.mesh];
    const auto& influences = mesh.influences;
    if (!influences.first.empty() && instance.skin != none)
        for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i)
            add_weight(mesh.positions[vertex], joint_of_influence_[influences.joints[i]],
                       influences.weights[i]);
    if (weight_count_ == first_weight)
        add_weight(glm::vec3(rest_.model[instance.node] * glm::vec4(mesh.positions[vertex], 1.0f)), 0, 1.0f);
    const auto uv = mesh.uv0.empty() ? glm::vec2(0) : mesh.uv0[vertex];
    fmt::format_to(end_of(text_), "\tvert {} ( {} {} ) {} {}\n", number, uv.x, uv.y, first_weight,
                   weight_count_ - first_weight);
}

void MeshText::write_mesh(const scene::Instance& instance, const scene::Primitive& primitive)
{
    const auto& mesh = scene_.meshes[instance.mesh];
    const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
    std::vector<std::uint32_t> used(indices.begin(), indices.end());
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    const auto number = [&](std::uint32_t vertex) {
        return std::ranges::lower_bound(used, vertex) - used.begin();
    };
    const auto shader =
        primitive.material == none ? std::string("default") : scene_.materials[primitive.material].name;
    weights_.clear();
    weight_count_ = 0;
    fmt::format_to(end_of(text_), "\nmesh {{\n\tshader {}\n\n\tnumverts {}\n", quoted(shader), used.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        write_vertex(instance, used[i], i);
    fmt::format_to(end_of(text_), "\n\tnumtris {}\n", indices.size() / 3);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) // clockwise fronts
        fmt::format_to(end_of(text_), "\ttri {} {} {} {}\n", i / 3, number(indices[i]),
                       number(indices[i + 2]), number(indices[i + 1]));
    fmt::format_to(end_of(text_), "\n\tnumweights {}\n{}}}\n", weight_count_, weights_);
}

bool is_triangles(const scene::Primitive& primitive)
{
    return primitive.topology == scene::Topology::triangles;
}

std::size_t MeshText::mesh_count() const
{
    std::size_t count = 0;
    for (const auto& instance : instances_)
        count += static_cast<std::size_t>(
            std::ranges::count_if(scene_.meshes[instance.mesh].primitives, is_triangles));
    return count;
}

std::string MeshText::write()
{
    fmt::format_to(end_of(text_), "MD5Version 10\ncommandline \"Vitrine\"\n\nnumJoints {}\nnumMeshes {}\n\n",
                   joints_.size(), mesh_count());
    write_joints();
    for (const auto& instance : instances_)
        for (const auto& primitive : scene_.meshes[instance.mesh].primitives)
            if (is_triangles(primitive)) write_mesh(instance, primitive);
    return std::move(text_);
}

using Components = std::array<float, 6>; // Tx Ty Tz Qx Qy Qz

struct SkeletonFrame {
    std::vector<Components> joints;
    scene::Aabb bounds;
};

SkeletonFrame frame_at(const scene::Scene& scene, const Skeleton& skeleton, std::uint32_t clip, double time,
                       scene::Pose& pose)
{
    const auto& joints = skeleton.joints;
    scene::sample_pose(scene, clip, time, pose);
    std::vector<glm::mat4> model(joints.size(), glm::mat4(1.0f));
    SkeletonFrame frame;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].node != none) model[j] = skeleton.in_file_axes(pose.model[joints[j].node]);
        const auto local =
            joints[j].parent == none ? model[j] : glm::inverse(model[joints[j].parent]) * model[j];
        const auto [p, q] = placement_of(local);
        frame.joints.push_back({p.x, p.y, p.z, q.x, q.y, q.z});
    }
    const auto box = scene::pose_bounds(scene, pose);
    frame.bounds.add(glm::vec3(skeleton.to_file * glm::vec4(box.min, 1.0f)));
    frame.bounds.add(glm::vec3(skeleton.to_file * glm::vec4(box.max, 1.0f)));
    return frame;
}

// Bit c is set when component c of the joint changes over the frames.
unsigned moving_components(const std::vector<SkeletonFrame>& frames, std::size_t joint)
{
    unsigned flags = 0;
    for (const auto& frame : frames)
        for (std::size_t c = 0; c < 6; ++c)
            if (frame.joints[joint][c] != frames.front().joints[joint][c]) flags |= 1u << c;
    return flags;
}

void write_frames(std::string& text, const std::vector<SkeletonFrame>& frames,
                  const std::vector<unsigned>& flags)
{
    for (std::size_t f = 0; f < frames.size(); ++f) {
        fmt::format_to(end_of(text), "\nframe {} {{\n", f);
        for (std::size_t j = 0; j < flags.size(); ++j) {
            if (flags[j] == 0) continue;
            text += '\t';
            for (std::size_t c = 0; c < 6; ++c)
                if (flags[j] & (1u << c)) fmt::format_to(end_of(text), " {}", frames[f].joints[j][c]);
            text += '\n';
        }
        text += "}\n";
    }
}

std::string write_clip(const scene::Scene& scene, const Skeleton& skeleton, std::uint32_t index)
{
    const auto& joints = skeleton.joints;
    const auto& clip = scene.clips[index];
    const double rate = clip.frame_rate > 0.0 ? clip.frame_rate : 24.0;
    const auto count = static_cast<std::size_t>(std::lround(clip.duration * rate)) + 1;
    scene::Pose pose;
    std::vector<SkeletonFrame> frames;
    frames.reserve(count);
    for (std::size_t f = 0; f < count; ++f)
        frames.push_back(frame_at(scene, skeleton, index, static_cast<double>(f) / rate, pose));
    std::vector<unsigned> flags;
    std::string hierarchy, base, boxes;
    std::size_t start = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        flags.push_back(moving_components(frames, j));
        const int parent = joints[j].parent == none ? -1 : static_cast<int>(joints[j].parent);
        fmt::format_to(end_of(hierarchy), "\t{} {} {} {}\n", quoted(joints[j].name), parent, flags[j], start);
        start += static_cast<std::size_t>(std::popcount(flags[j]));
        const auto& c = frames.front().joints[j];
        fmt::format_to(end_of(base), "\t( {} {} {} ) ( {} {} {} )\n", c[0], c[1], c[2], c[3], c[4], c[5]);
    }
    for (const auto& frame : frames) {
        const auto& [low, high] = frame.bounds;
        fmt::format_to(end_of(boxes), "\t( {} {} {} ) ( {} {} {} )\n", low.x, low.y, low.z, high.x, high.y,
                       high.z);
    }
    auto text = fmt::format(
        "MD5Version 10\ncommandline \"Vitrine\"\n\nnumFrames {}\nnumJoints {}\nframeRate {}\n"
        "numAnimatedComponents {}\n\nhierarchy {{\n{}}}\n\nbounds {{\n{}}}\n\nbaseframe {{\n{}}}\n",
        count, joints.size(), rate, start, hierarchy, boxes, base);
    write_frames(text, frames, flags);
    return text;
}

} // namespace

std::vector<NamedFile> write_md5(const scene::Scene& scene, const std::string& stem)
{
    const auto skeleton = skeleton_of(scene);
    std::vector<NamedFile> files{{stem + ".md5mesh", to_bytes(MeshText(scene, skeleton).write())}};
    for (std::uint32_t clip = 0; clip < scene.clips.size() && !scene.skins.empty(); ++clip)
        files.push_back({fmt::format("{}_{}.md5anim", stem, scene.clips[clip].name),
                         to_bytes(write_clip(scene, skeleton, clip))});
    for (const auto& material : scene.materials)
        files.push_back({material.name + ".png", write_png(picture_of(scene, material))});
    return files;
}

} // namespace vitrine::exporting
