#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

bool is_helper_of(const Scene& scene, std::uint32_t helper, std::uint32_t node)
{
    return helper != none && scene.nodes[helper].helper_of == node;
}

const Trs& local_of(const Scene& scene, const Pose* pose, std::uint32_t node)
{
    return pose != nullptr ? pose->local[node] : scene.nodes[node].local;
}

glm::mat4 matrix_of(const Scene& scene, const Pose* pose, std::uint32_t node)
{
    if (pose != nullptr)
        for (const NodeMatrix& changed : pose->matrices)
            if (changed.node == node) return changed.matrix;
    const auto& matrix = scene.nodes[node].matrix;
    return matrix ? *matrix : to_matrix(local_of(scene, pose, node));
}

} // namespace

std::vector<std::uint32_t> file_parents(const Scene& scene)
{
    std::vector<std::uint32_t> parents;
    file_parents(scene, parents);
    return parents;
}

void file_parents(const Scene& scene, std::vector<std::uint32_t>& parents)
{
    parents.clear();
    parents.reserve(scene.nodes.size());
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        const std::uint32_t above = scene.nodes[node].parent;
        if (above == none) {
            parents.push_back(none);
            continue;
        }
        // A helper is replaced by its node if that precedes this node, otherwise by its own parent.
        const std::uint32_t owner = file_node(scene, above);
        parents.push_back(owner < node ? owner : parents[above]);
    }
}

glm::mat4 file_local_matrix(const Scene& scene, const Pose* pose, std::uint32_t node)
{
    glm::mat4 matrix = matrix_of(scene, pose, node);
    for (auto at = scene.nodes[node].parent; is_helper_of(scene, at, node); at = scene.nodes[at].parent)
        matrix = matrix_of(scene, pose, at) * matrix;
    return matrix;
}

Trs file_local(const Scene& scene, const Pose* pose, std::uint32_t node)
{
    Trs trs = local_of(scene, pose, node);
    bool exact = !scene.nodes[node].matrix;
    for (auto at = scene.nodes[node].parent; exact && is_helper_of(scene, at, node);
         at = scene.nodes[at].parent) {
        const Trs& outer = local_of(scene, pose, at);
        exact = !scene.nodes[at].matrix && outer.scale == glm::vec3(1.0f);
        trs = {outer.translation + outer.rotation * trs.translation, outer.rotation * trs.rotation,
               trs.scale};
    }
    return exact ? trs : decompose(file_local_matrix(scene, pose, node));
}

bool is_split_scale(const Scene& scene, std::uint32_t node)
{
    const Node& n = scene.nodes[node];
    return is_helper_of(scene, n.parent, file_node(scene, node)) && !n.matrix &&
           n.local.translation == glm::vec3(0.0f) && n.local.rotation == glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
}

std::uint32_t channel_node(const Scene& scene, const Channel& channel)
{
    const std::uint32_t owner = file_node(scene, channel.node);
    if (owner == channel.node || channel.path == Path::weights || channel.path == Path::vertex_frame)
        return owner;
    for (auto at = scene.nodes[owner].parent; is_helper_of(scene, at, owner); at = scene.nodes[at].parent)
        if (at == channel.node) return owner;
    return none;
}

} // namespace vitrine::scene
