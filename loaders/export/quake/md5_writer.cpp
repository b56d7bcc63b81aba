#include "loaders/export/quake/md5_writer.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "loaders/base/sort_unique.hpp"
#include "loaders/export/material_image.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/export/quake/md5_skeleton.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {

namespace {

using scene::none;

class MeshText {
public:
    MeshText(const scene::Scene& scene, const Md5Skeleton& skeleton)
        : scene_(scene), instances_(scene::find_instances(scene)), to_file_(skeleton.to_file),
          joints_(skeleton.joints)
    {
        scene::static_pose(scene, rest_);
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
    const std::vector<SkeletonJoint>& joints_;
    std::vector<std::uint32_t> joint_of_influence_;
    std::string text_;
    std::string weights_;
    std::size_t weight_count_ = 0;
};

void MeshText::write_joints()
{
    text_ += "joints {\n";
    for (const auto& joint : joints_) {
        const auto [p, q] = md5_placement(joint.bind);
        const int parent = joint.parent == none ? -1 : static_cast<int>(joint.parent);
        fmt::format_to(end_of(text_), "\t{} {} ( {} {} {} ) ( {} {} {} )\n", quoted_md5_name(joint.name),
                       parent, p.x, p.y, p.z, q.x, q.y, q.z);
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
    sort_unique(used);
    const auto number = [&](std::uint32_t vertex) {
        return std::ranges::lower_bound(used, vertex) - used.begin();
    };
    const auto shader =
        primitive.material == none ? std::string("default") : scene_.materials[primitive.material].name;
    weights_.clear();
    weight_count_ = 0;
    fmt::format_to(end_of(text_), "\nmesh {{\n\tshader {}\n\n\tnumverts {}\n", quoted_md5_name(shader),
                   used.size());
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

} // namespace

std::vector<NamedFile> write_md5(const scene::Scene& scene, const std::string& stem)
{
    // Readers compute the normals of vertices from all triangles that share them.
    if (const auto shaded = scene::with_normals(scene)) return write_md5(*shaded, stem);
    const auto skeleton = md5_skeleton(scene);
    std::vector<NamedFile> files{{stem + ".md5mesh", to_bytes(MeshText(scene, skeleton).write())}};
    for (std::uint32_t clip = 0; clip < scene.clips.size() && !scene.skins.empty(); ++clip)
        files.push_back({fmt::format("{}_{}.md5anim", stem, scene.clips[clip].name),
                         to_bytes(write_md5_clip(scene, skeleton, clip))});
    for (const auto& material : scene.materials)
        files.push_back({material.name + ".png", write_png(material_image(scene, material))});
    return files;
}

} // namespace vitrine::exporting
