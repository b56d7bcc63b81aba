#include "loaders/scene/layers/pose_editor.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/matrix.hpp"

namespace vitrine::scene {

// The outermost of the helpers directly above the node that belong to it: its parent is the joint's parent in
// the file.
std::uint32_t PoseEditor::outermost(std::uint32_t node) const
{
    auto at = node;
    while (scene_.nodes[at].parent != none && scene_.nodes[scene_.nodes[at].parent].helper_of == node)
        at = scene_.nodes[at].parent;
    return at;
}

std::uint32_t PoseEditor::holder_of_rotation(std::uint32_t node) const
{
    return is_split_scale(scene_, node) ? scene_.nodes[node].parent : node;
}

// Null if the node has no matrix.
glm::mat4* PoseEditor::matrix_of(std::uint32_t node)
{
    if (!scene_.nodes[node].matrix) return nullptr;
    const auto at = std::ranges::lower_bound(pose_.matrices, node, {}, &NodeMatrix::node);
    if (at != pose_.matrices.end() && at->node == node) return &at->matrix;
    return &pose_.matrices.insert(at, {node, *scene_.nodes[node].matrix})->matrix;
}

glm::mat4 PoseEditor::local(std::uint32_t node)
{
    const auto* matrix = matrix_of(node);
    return matrix ? *matrix : to_matrix(pose_.local[node]);
}

glm::dmat4 PoseEditor::model(std::uint32_t node)
{
    glm::dmat4 product(1.0);
    for (auto at = node; at != none; at = scene_.nodes[at].parent)
        product = glm::dmat4(local(at)) * product;
    return product;
}

// Lengths of the axes of the space that the node is placed in, in meters.
glm::vec3 PoseEditor::units_around(std::uint32_t node)
{
    const glm::mat4 around(model(scene_.nodes[node].parent));
    glm::vec3 lengths;
    for (int i = 0; i < 3; ++i) {
        lengths[i] = glm::length(glm::vec3(around[i]));
        if (!(lengths[i] > 0.0f)) lengths[i] = 1.0f;
    }
    return lengths;
}

void PoseEditor::move(std::uint32_t node, const glm::vec3& meters)
{
    node = outermost(node);
    const glm::vec3 by = meters / units_around(node);
    if (auto* matrix = matrix_of(node))
        (*matrix)[3] += glm::vec4(by, 0.0f);
    else
        pose_.local[node].translation += by;
}

void PoseEditor::turn(std::uint32_t node, const glm::quat& rotation)
{
    if (rotation == glm::quat(1.0f, 0.0f, 0.0f, 0.0f)) return;
    node = holder_of_rotation(node);
    if (auto* matrix = matrix_of(node))
        *matrix = multiply_affine(*matrix, glm::mat4_cast(rotation));
    else
        pose_.local[node].rotation =
            glm::quat(glm::normalize(glm::dquat(pose_.local[node].rotation) * glm::dquat(rotation)));
}

void PoseEditor::turn_in_scene(std::uint32_t node, const glm::dquat& rotation)
{
    node = holder_of_rotation(node);
    const glm::dmat3 around(model(scene_.nodes[node].parent));
    const glm::dmat3 change = glm::inverse(around) * glm::mat3_cast(rotation) * around;
    const double sum =
        glm::dot(change[0], change[0]) + glm::dot(change[1], change[1]) + glm::dot(change[2], change[2]);
    if (!(sum < 1e30)) return; // of a basis that floats cannot hold
    const auto turn = glm::dquat(decompose(glm::mat4(glm::dmat4(change))).rotation);
    if (auto* matrix = matrix_of(node)) {
        const auto position = (*matrix)[3];
        *matrix = multiply_affine(glm::mat4_cast(glm::quat(turn)), *matrix);
        (*matrix)[3] = position;
    } else {
        pose_.local[node].rotation = glm::quat(glm::normalize(turn * glm::dquat(pose_.local[node].rotation)));
    }
}

void PoseEditor::stretch(std::uint32_t node, const glm::vec3& factors)
{
    if (auto* matrix = matrix_of(node))
        *matrix = multiply_affine(*matrix, to_matrix({.scale = factors}));
    else
        pose_.local[node].scale *= factors;
}

} // namespace vitrine::scene
