#include <utility>

#include "loaders/md5/scene_builder.hpp"

namespace vitrine::md5 {
namespace {

glm::mat4 to_mat4(const Transform& transform)
{
    glm::dmat4 matrix = glm::mat4_cast(transform.rotation);
    matrix[3] = glm::dvec4(transform.translation, 1.0);
    return glm::mat4(matrix);
}

LoadResult<Skeleton> ordered(std::vector<std::string> names, std::vector<std::uint32_t> parents,
                             const Limits& limits)
{
    auto order = parents_first(parents, limits.depth);
    if (!order) return std::unexpected(order.error());
    Skeleton skeleton;
    skeleton.names = std::move(names);
    skeleton.parents = std::move(parents);
    skeleton.order = std::move(*order);
    skeleton.model.resize(skeleton.parents.size());
    skeleton.local.resize(skeleton.parents.size());
    return skeleton;
}

} // namespace

LoadResult<Skeleton> make_skeleton(const std::vector<Md5Joint>& joints, const Limits& limits)
{
    std::vector<std::string> names;
    std::vector<std::uint32_t> parents;
    for (const Md5Joint& joint : joints) {
        names.push_back(joint.name);
        parents.push_back(joint.parent);
    }
    auto skeleton = ordered(std::move(names), std::move(parents), limits);
    if (!skeleton) return skeleton;
    for (const std::uint32_t j : skeleton->order) {
        const std::uint32_t parent = joints[j].parent;
        skeleton->model[j] = joints[j].model;
        skeleton->local[j] =
            parent == scene::none ? joints[j].model : compose(inverse(joints[parent].model), joints[j].model);
    }
    return skeleton;
}

LoadResult<Skeleton> make_skeleton(const Md5Animation& animation, const Limits& limits)
{
    std::vector<std::string> names;
    std::vector<std::uint32_t> parents;
    for (const AnimatedJoint& joint : animation.joints) {
        names.push_back(joint.name);
        parents.push_back(joint.parent);
    }
    auto skeleton = ordered(std::move(names), std::move(parents), limits);
    if (!skeleton) return skeleton;
    for (const std::uint32_t j : skeleton->order) {
        const AnimatedJoint& joint = animation.joints[j];
        skeleton->local[j] = {restore_w(joint.base_orientation), joint.base_position};
        skeleton->model[j] = joint.parent == scene::none
                                 ? skeleton->local[j]
                                 : compose(skeleton->model[joint.parent], skeleton->local[j]);
    }
    return skeleton;
}

void add_skeleton(scene::Scene& scene, Skeleton& skeleton, std::string skin_name)
{
    scene::Skin skin{.name = std::move(skin_name), .joints = {}, .inverse_bind = {}};
    skeleton.nodes.assign(skeleton.parents.size(), scene::none);
    for (const std::uint32_t j : skeleton.order) {
        const std::uint32_t parent = skeleton.parents[j];
        scene::Node node;
        node.name = skeleton.names[j];
        node.parent = parent == scene::none ? scene::none : skeleton.nodes[parent];
        node.local.translation = glm::vec3(skeleton.local[j].translation);
        node.local.rotation = glm::quat(skeleton.local[j].rotation);
        skeleton.nodes[j] = static_cast<std::uint32_t>(scene.nodes.size());
        scene.nodes.push_back(std::move(node));
    }
    skin.joints = skeleton.nodes;
    for (const Transform& model : skeleton.model)
        skin.inverse_bind.push_back(to_mat4(inverse(model)));
    scene.skins.push_back(std::move(skin));
}

} // namespace vitrine::md5
