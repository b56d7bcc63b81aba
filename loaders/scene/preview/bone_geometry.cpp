#include "loaders/scene/preview/bone_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

// position and width of the widest part, as fractions of the bone's length
constexpr float max_width_fraction = 0.12f;
constexpr float max_length_ratio = 2.5f;       // relative to the median length; longer bones are not wider
constexpr float end_bone_length_ratio = 0.12f; // relative to the bone that leads to the end of the chain
constexpr std::size_t max_bones = 20'000;      // larger skeletons would be indiscernible
// Half the height of the octahedron of a joint without bones, if no joint has one.
constexpr float lone_extent_ratio = 0.06f; // relative to the extent of all joints over the clips
constexpr float lone_radius = 0.05f;       // meters: of joints in one place

// The file's nodes, each with its static position in the space of its parent in the file.
struct Chain {
    std::vector<std::uint32_t> parents;
    std::vector<glm::vec3> tails;
};

Chain chain_of(const Scene& scene)
{
    Chain chain{file_parents(scene), {}};
    Pose rest;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        const auto parent = chain.parents[node];
        if (const auto& own = scene.nodes[node]; parent == own.parent) {
            chain.tails.push_back(own.matrix ? glm::vec3((*own.matrix)[3]) : own.local.translation);
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

// The roots of the trees of joints in which no joint has a bone.
std::vector<std::uint32_t> lone_joints(const Chain& chain, const std::vector<bool>& joints)
{
    std::vector<bool> has_bone(joints.size(), false); // the joint or one below it
    std::vector<std::uint32_t> lone;
    for (auto node = static_cast<std::uint32_t>(joints.size()); node-- > 0;) { // parents precede children
        if (!joints[node]) continue;
        const auto parent = chain.parents[node];
        const bool is_root = parent == none || !joints[parent];
        if (is_root && !has_bone[node]) lone.push_back(node);
        if (!is_root && (has_bone[node] || is_bone(chain, joints, node))) has_bone[parent] = true;
    }
    return lone;
}

// All nodes except childless nodes directly below a root, which hold props and meshes. Empty without a bone.
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
    if (any_bone(chain, connected)) return connected;
    return any_bone(chain, in_file) ? in_file : std::vector<bool>();
}

// Skeleton nodes and the descendants of animated ones: the last joints of fingers have no keys.
std::vector<bool> rig_joints(const Scene& scene, const Chain& chain)
{
    std::vector<bool> joints, moved(scene.nodes.size(), false);
    mark_skeleton_joints(scene, joints);
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels)
            if (channel.node < moved.size()) moved[channel.node] = true;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (const auto parent = scene.nodes[node].parent; parent != none && moved[parent])
            joints[node] = moved[node] = true;
    move_flags_from_helpers(scene, joints);
    if (any_bone(chain, joints)) return joints;
    auto connected = connected_nodes(scene, chain);
    return connected.empty() ? joints : connected;
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
    return max_width_fraction * max_length_ratio * *median;
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
        const float width = std::min(max_width_fraction * glm::length(tail), widest);
        add_octahedron(all[parent], glm::vec3(0.0f), tail, max_width_fraction, width);
        has_child_bone[parent] = true;
    }
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (is_bone(chain, joints, node) && !has_child_bone[node])
            add_end_bone(all[node], std::min(end_bone_length_ratio * glm::length(chain.tails[node]), widest));
    return all;
}

// The joints in the static pose, and the keys of those whose parent does not move.
float extent_of(const Scene& scene, const Pose& rest, const std::vector<bool>& joints)
{
    Aabb box;
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (joints[node]) box.add(glm::vec3(rest.model[node][3]));
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels) {
            const bool moves_root = channel.path == Path::translation && channel.node < joints.size() &&
                                    joints[channel.node] && scene.nodes[channel.node].parent == none;
            const std::size_t tangent = channel.interpolation == Interpolation::cubic ? 3 : 0;
            for (auto at = tangent; moves_root && at + 3 <= channel.values.size(); at += 3 + 2 * tangent)
                box.add({channel.values[at], channel.values[at + 1], channel.values[at + 2]});
        }
    const glm::vec3 size = box.size();
    return std::max({size.x, size.y, size.z});
}

// Adds a small octahedron for each joint that no bone shows, of the same size in scene space.
void add_lone_joints(const Scene& scene, const Chain& chain, const std::vector<bool>& joints,
                     std::vector<Mesh>& meshes)
{
    const auto lone = lone_joints(chain, joints);
    if (lone.empty()) return;
    Pose rest;
    static_pose(scene, rest);
    float radius = greatest_width(chain, joints);
    if (!(radius > 0.0f)) radius = lone_extent_ratio * extent_of(scene, rest, joints);
    if (!(radius > 0.0f && std::isfinite(radius))) radius = lone_radius;
    for (const auto node : lone) {
        const glm::mat3 axes(rest.model[node]);
        const float own =
            radius / std::max({glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2])});
        add_end_bone(meshes[node], own > 0.0f && std::isfinite(own) ? own : radius);
    }
}

} // namespace

void mark_skeleton_joints(const Scene& scene, std::vector<bool>& joints)
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
    mark_skeleton_joints(scene, is_joint);
    std::vector<std::uint32_t> joints;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (is_joint[node] && !is_helper(scene.nodes[node])) joints.push_back(node);
    return joints;
}

bool is_skeleton_only(const Scene& scene)
{
    if (draws_anything(scene) || scene.nodes.size() > max_bones) return false;
    return std::ranges::count(rig_joints(scene, chain_of(scene)), true) > 0;
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
    const auto joints = rig_joints(scene, chain);
    auto meshes = bodies(chain, joints);
    add_lone_joints(scene, chain, joints, meshes);
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
