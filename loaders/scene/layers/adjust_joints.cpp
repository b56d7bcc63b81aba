#include <algorithm>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/matrix.hpp"

namespace vitrine::scene {
namespace {

class Adjuster {
public:
    Adjuster(const Scene& scene, Pose& pose) : scene_(scene), pose_(pose) {}

    void apply(const JointAdjustment& adjustment)
    {
        const std::uint32_t node = file_node(scene_, adjustment.node);
        if (adjustment.translation != glm::vec3(0.0f)) move(outermost(node), adjustment.translation);
        turn(is_split_scale(scene_, node) ? scene_.nodes[node].parent : node, adjustment.rotation);
        if (adjustment.scale != glm::vec3(1.0f)) stretch(node, adjustment.scale);
    }

private:
    // The outermost of the helpers directly above the node that belong to it: its parent is the joint's
    // parent in the file.
    std::uint32_t outermost(std::uint32_t node) const
    {
        auto at = node;
        while (scene_.nodes[at].parent != none && scene_.nodes[scene_.nodes[at].parent].helper_of == node)
            at = scene_.nodes[at].parent;
        return at;
    }

    // Null if the node has no matrix.
    glm::mat4* matrix_of(std::uint32_t node)
    {
        if (!scene_.nodes[node].matrix) return nullptr;
        const auto at = std::ranges::lower_bound(pose_.matrices, node, {}, &NodeMatrix::node);
        if (at != pose_.matrices.end() && at->node == node) return &at->matrix;
        return &pose_.matrices.insert(at, {node, *scene_.nodes[node].matrix})->matrix;
    }

    // Lengths of the axes of the space that the node is placed in, in meters.
    glm::vec3 units_around(std::uint32_t node)
    {
        glm::mat4 around(1.0f);
        for (auto at = scene_.nodes[node].parent; at != none; at = scene_.nodes[at].parent) {
            const auto* matrix = matrix_of(at);
            around = multiply_affine(matrix ? *matrix : to_matrix(pose_.local[at]), around);
        }
        glm::vec3 lengths;
        for (int i = 0; i < 3; ++i) {
            lengths[i] = glm::length(glm::vec3(around[i]));
            if (!(lengths[i] > 0.0f)) lengths[i] = 1.0f;
        }
        return lengths;
    }

    void move(std::uint32_t node, const glm::vec3& meters)
    {
        const glm::vec3 by = meters / units_around(node);
        if (auto* matrix = matrix_of(node))
            (*matrix)[3] += glm::vec4(by, 0.0f);
        else
            pose_.local[node].translation += by;
    }

    void turn(std::uint32_t node, const glm::quat& rotation)
    {
        if (rotation == glm::quat(1.0f, 0.0f, 0.0f, 0.0f)) return;
        if (auto* matrix = matrix_of(node))
            *matrix = multiply_affine(*matrix, glm::mat4_cast(rotation));
        else
            pose_.local[node].rotation =
                glm::quat(glm::normalize(glm::dquat(pose_.local[node].rotation) * glm::dquat(rotation)));
    }

    void stretch(std::uint32_t node, const glm::vec3& factors)
    {
        if (auto* matrix = matrix_of(node))
            *matrix = multiply_affine(*matrix, to_matrix({.scale = factors}));
        else
            pose_.local[node].scale *= factors;
    }

    const Scene& scene_;
    Pose& pose_;
};

} // namespace

void adjust_joints(const Scene& scene, std::span<const JointAdjustment> adjustments, Pose& pose)
{
    Adjuster adjuster(scene, pose);
    for (const JointAdjustment& adjustment : adjustments)
        adjuster.apply(adjustment);
}

} // namespace vitrine::scene
