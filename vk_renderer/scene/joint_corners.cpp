#include "vk_renderer/scene/joint_corners.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/helper_nodes.hpp"

namespace vitrine::render {
namespace {

struct MovedVertices {
    scene::Aabb box; // along the joint's axes
    std::size_t count = 0;
    std::uint32_t entry = scene::none;
    glm::mat4 bind{1.0f}; // from the joint's space to that of the mesh, for `entry`
};
using MovedByNode = std::map<std::uint32_t, MovedVertices>;

void add(MovedByNode& moved, std::uint32_t node, std::uint32_t entry, const glm::mat4& inverse_bind,
         const glm::vec3& position)
{
    auto& vertices = moved[node];
    if (vertices.count++ == 0) {
        vertices.entry = entry;
        vertices.bind = glm::inverse(inverse_bind);
    }
    vertices.box.add(glm::vec3(inverse_bind * glm::vec4(position, 1.0f)));
}

void add_skinned(const scene::Scene& scene, const scene::Instance& instance, std::uint32_t vertex,
                 MovedByNode& moved)
{
    const auto& mesh = scene.meshes[instance.mesh];
    const auto& skin = scene.skins[instance.skin];
    const auto& influences = mesh.influences;
    const auto first = influences.first[vertex], end = influences.first[vertex + 1];
    if (first == end) return;
    auto most = first;
    for (auto i = first + 1; i < end; ++i)
        if (influences.weights[i] > influences.weights[most]) most = i;
    const auto joint = influences.joints[most];
    add(moved, scene::file_node(scene, skin.joints[joint]), instance.first_palette + joint,
        skin.inverse_bind[joint],
        influences.positions.empty() ? mesh.positions[vertex] : influences.positions[most]);
}

void add_instance(const scene::Scene& scene, const scene::Instance& instance, MovedByNode& moved)
{
    const auto& mesh = scene.meshes[instance.mesh];
    if (mesh.frames.count > 0) return;
    const bool skinned = instance.skin != scene::none && !mesh.influences.first.empty();
    std::vector<bool> visited(mesh.positions.size(), false);
    for (const auto& primitive : mesh.primitives)
        for (const auto vertex : std::span(mesh.indices).subspan(primitive.first, primitive.count)) {
            if (visited[vertex]) continue;
            visited[vertex] = true;
            if (skinned)
                add_skinned(scene, instance, vertex, moved);
            else
                add(moved, scene::file_node(scene, instance.node),
                    instance.first_palette + instance.palette_count - 1, glm::mat4(1.0f),
                    mesh.positions[vertex]);
        }
}

} // namespace

std::vector<OrientedBox> joint_corners(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    MovedByNode moved;
    for (const auto& instance : instances)
        add_instance(scene, instance, moved);
    std::vector<std::pair<std::size_t, OrientedBox>> all; // with the number of vertices
    for (const auto& [node, vertices] : moved) {
        OrientedBox joint{.node = node, .entry = vertices.entry, .corners = {}};
        float sum = 0.0f;
        for (std::size_t i = 0; i < joint.corners.size(); ++i) {
            const auto& [min, max] = vertices.box;
            const glm::vec4 corner((i & 1) != 0 ? max.x : min.x, (i & 2) != 0 ? max.y : min.y,
                                   (i & 4) != 0 ? max.z : min.z, 1.0f);
            joint.corners[i] = glm::vec3(vertices.bind * corner);
            sum += joint.corners[i].x + joint.corners[i].y + joint.corners[i].z;
        }
        if (std::isfinite(sum)) all.emplace_back(vertices.count, joint);
    }
    std::ranges::sort(all, {}, [](const auto& joint) {
        return std::pair(-static_cast<std::int64_t>(joint.first), joint.second.node);
    });
    std::vector<OrientedBox> result;
    for (const auto& [count, joint] : std::span(all).first(std::min(all.size(), max_joint_boxes)))
        result.push_back(joint);
    return result;
}

} // namespace vitrine::render
