#include "loaders/scene/preview/bone_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

// position and width of the widest part, as fractions of the bone's length
constexpr float widest_fraction = 0.12f;
constexpr float max_length_ratio = 2.5f;       // relative to the median length; longer bones are not wider
constexpr float end_bone_length_ratio = 0.12f; // relative to the bone that leads to the end of the chain
constexpr std::size_t max_bones = 20'000;      // larger skeletons would be indiscernible

// The file's nodes, each with its static position in the space of its parent in the file.
struct Chain {
    std::vector<std::uint32_t> parents;
    std::vector<glm::vec3> tails;
};

// The child's position in its joint's space in the static pose.
glm::vec3 tail_of(const Node& child)
{
    return child.matrix ? glm::vec3((*child.matrix)[3]) : child.local.translation;
}

Chain chain_of(const Scene& scene)
{
    Chain chain{file_parents(scene), {}};
    Pose rest;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        const auto parent = chain.parents[node];
        if (parent == scene.nodes[node].parent) {
            chain.tails.push_back(tail_of(scene.nodes[node]));
            continue;
        }
        if (rest.model.empty()) static_pose(scene, rest);
        const glm::vec4 position = rest.model[node][3];
        chain.tails.emplace_back(parent == none ? position : glm::inverse(rest.model[parent]) * position);
    }
    return chain;
}

// Moves the flags of helpers to the file's nodes that they belong to.
void move_flags_from_helpers(const Scene& scene, std::vector<bool>& joints)
{
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (!is_helper(scene.nodes[node]) || !joints[node]) continue;
        joints[node] = false;
        joints[scene.nodes[node].helper_of] = true;
    }
}

bool is_bone(const Chain& chain, const std::vector<bool>& joints, std::uint32_t node)
{
    const auto parent = chain.parents[node];
    if (!joints[node] || parent == none || !joints[parent]) return false;
    const float length = glm::length(chain.tails[node]);
    return length > 0.0f && std::isfinite(length);
}

void add_face(Mesh& mesh, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c)
{
    const glm::vec3 across = glm::cross(b - a, c - a);
    const float size = glm::length(across);
    const glm::vec3 normal = size > 0.0f ? across / size : glm::vec3(0.0f, 1.0f, 0.0f);
    for (const auto& corner : {a, b, c}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
        mesh.normals.push_back(normal);
    }
}

// From head to tail, widest at `at`.
void add_octahedron(Mesh& mesh, const glm::vec3& head, const glm::vec3& tail, float at, float width)
{
    const glm::vec3 along = tail - head, direction = glm::normalize(along);
    const glm::vec3 other = std::abs(direction.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    const glm::vec3 side = glm::normalize(glm::cross(direction, other)), up = glm::cross(side, direction);
    const glm::vec3 center = head + at * along;
    const std::array ring{center + width * side, center + width * up, center - width * side,
                          center - width * up};
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto& here = ring[i];
        const auto& next = ring[(i + 1) % ring.size()];
        add_face(mesh, head, here, next);
        add_face(mesh, tail, next, here);
    }
}

void add_end_bone(Mesh& mesh, float radius)
{
    const glm::vec3 up(0.0f, radius, 0.0f);
    add_octahedron(mesh, -up, up, 0.5f, radius);
}

bool any_bone(const Chain& chain, const std::vector<bool>& joints)
{
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (is_bone(chain, joints, node)) return true;
    return false;
}

// All nodes except childless nodes directly below a root, which hold props and meshes.
std::vector<bool> connected_nodes(const Scene& scene, const Chain& chain)
{
    const auto& parent_of = chain.parents;
    std::vector<bool> in_file(scene.nodes.size(), false), is_parent = in_file, connected = in_file;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        in_file[node] = !is_helper(scene.nodes[node]);
        if (in_file[node] && parent_of[node] != none) is_parent[parent_of[node]] = true;
    }
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        connected[node] = in_file[node] && (is_parent[node] ||
                                            (parent_of[node] != none && parent_of[parent_of[node]] != none));
    return any_bone(chain, connected) ? connected : in_file;
}

// Skeleton nodes and the descendants of animated ones: the last joints of fingers have no keys.
std::vector<bool> rig_joints(const Scene& scene, const Chain& chain)
{
    std::vector<bool> joints, moved(scene.nodes.size(), false);
    find_skeleton_joints(scene, joints);
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels)
            if (channel.node < moved.size()) moved[channel.node] = true;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (const auto parent = scene.nodes[node].parent; parent != none && moved[parent])
            joints[node] = moved[node] = true;
    move_flags_from_helpers(scene, joints);
    if (!any_bone(chain, joints)) joints = connected_nodes(scene, chain);
    return joints;
}

Material bone_material()
{
    Material material;
    material.name = "bone";
    material.base_color = {0.64f, 0.60f, 0.50f, 1.0f};
    material.metallic = 0.0f;
    material.roughness = 0.55f;
    return material;
}

// The bone from a distant root to the hips would be as wide as a leg.
float greatest_width(const Chain& chain, const std::vector<bool>& joints)
{
    std::vector<float> lengths;
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (is_bone(chain, joints, node)) lengths.push_back(glm::length(chain.tails[node]));
    if (lengths.empty()) return 0.0f;
    const auto median = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, median);
    return widest_fraction * max_length_ratio * *median;
}

// By joint: the bones to its children in its own space, and a small octahedron if it has none.
std::vector<Mesh> bodies(const Chain& chain, const std::vector<bool>& joints)
{
    std::vector<Mesh> all(joints.size());
    std::vector<bool> has_child_bone(joints.size(), false);
    const float widest = greatest_width(chain, joints);
    for (std::uint32_t node = 0; node < joints.size(); ++node) {
        if (!is_bone(chain, joints, node)) continue;
        const glm::vec3 tail = chain.tails[node];
        const auto parent = chain.parents[node];
        const float width = std::min(widest_fraction * glm::length(tail), widest);
        add_octahedron(all[parent], glm::vec3(0.0f), tail, widest_fraction, width);
        has_child_bone[parent] = true;
    }
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (is_bone(chain, joints, node) && !has_child_bone[node])
            add_end_bone(all[node], std::min(end_bone_length_ratio * glm::length(chain.tails[node]), widest));
    return all;
}

} // namespace

void find_skeleton_joints(const Scene& scene, std::vector<bool>& joints)
{
    joints.assign(scene.nodes.size(), false);
    for (const auto& skin : scene.skins)
        for (const auto joint : skin.joints)
            joints[file_node(scene, joint)] = true;
    if (!scene.skins.empty()) return;
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels)
            if (channel.node < joints.size() && scene.nodes[channel.node].levels.first == 0)
                joints[channel.node] = true;
    for (std::size_t node = scene.nodes.size(); node-- > 0;)
        if (const auto parent = scene.nodes[node].parent; joints[node] && parent != none)
            joints[parent] = true;
    move_flags_from_helpers(scene, joints);
}

std::vector<std::uint32_t> skeleton_joints(const Scene& scene)
{
    std::vector<bool> is_joint;
    find_skeleton_joints(scene, is_joint);
    std::vector<std::uint32_t> joints;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (is_joint[node] && !is_helper(scene.nodes[node])) joints.push_back(node);
    return joints;
}

bool is_skeleton_only(const Scene& scene)
{
    if (draws_anything(scene) || scene.nodes.size() > max_bones) return false;
    const Chain chain = chain_of(scene);
    return any_bone(chain, rig_joints(scene, chain));
}

std::optional<Scene> with_bone_geometry(const Scene& scene)
{
    if (!is_skeleton_only(scene)) return std::nullopt;
    Scene shown = scene;
    shown.meshes.clear();
    shown.materials = {bone_material()};
    shown.images.clear();
    shown.vrm.reset();
    for (auto& clip : shown.clips)
        std::erase_if(clip.channels, [](const Channel& channel) {
            return channel.path == Path::weights || channel.path == Path::vertex_frame;
        });
    const Chain chain = chain_of(scene);
    auto meshes = bodies(chain, rig_joints(scene, chain));
    for (std::uint32_t node = 0; node < shown.nodes.size(); ++node) {
        auto& to = shown.nodes[node];
        to.mesh = to.skin = none;
        to.morph_weights.clear();
        if (meshes[node].indices.empty()) continue;
        meshes[node].name = to.name;
        meshes[node].primitives = {
            {.count = static_cast<std::uint32_t>(meshes[node].indices.size()), .material = 0}};
        to.mesh = static_cast<std::uint32_t>(shown.meshes.size());
        to.visible = true;
        shown.meshes.push_back(std::move(meshes[node]));
    }
    return shown;
}

} // namespace vitrine::scene
