#include "loaders/dae/controllers/skin_placement.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_inverse.hpp>

namespace vitrine::dae {
namespace {

// Larger coordinates are not expected; floats represent it and differences of two.
constexpr double max_matrix_element = 1e30;

glm::vec3 within_reach(glm::dvec3 v)
{
    for (glm::length_t i = 0; i < 3; ++i)
        v[i] = std::isnan(v[i]) ? 0.0 : std::clamp(v[i], -max_matrix_element, max_matrix_element);
    return glm::vec3(v);
}

bool is_finite(const glm::dmat4& m)
{
    for (glm::length_t column = 0; column < 4; ++column)
        for (glm::length_t row = 0; row < 4; ++row)
            if (!(std::abs(m[column][row]) <= max_matrix_element)) return false;
    return true;
}

glm::dmat3 normal_matrix(const glm::dmat4& matrix)
{
    const glm::dmat3 linear(matrix);
    return glm::determinant(linear) != 0.0 ? glm::inverseTranspose(linear) : linear;
}

glm::dmat4 vertex_matrix(const std::vector<glm::dmat4>& joints, const glm::dmat4& bind_shape,
                         const scene::Influences& influences, std::size_t vertex)
{
    const std::uint32_t first = influences.first[vertex], end = influences.first[vertex + 1];
    if (first == end) return bind_shape;
    glm::dmat4 matrix(0.0);
    for (std::uint32_t i = first; i < end; ++i) {
        const std::uint16_t joint = influences.joints[i];
        matrix += double{influences.weights[i]} * (joint < joints.size() ? joints[joint] : bind_shape);
    }
    return matrix;
}

} // namespace

void StaticSkinPose::index_moving()
{
    for (; indexed_ < tree_.instances().size(); ++indexed_) {
        const NodeInstance& instance = tree_.instances()[indexed_];
        for (std::uint32_t r = 0; r < instance.shape->segments.size(); ++r)
            if (instance.shape->segments[r].moves) moving_.insert(instance.first_link + r);
    }
}

// Returns false when a joint is animated.
bool StaticSkinPose::climb(std::uint32_t at, glm::dmat4& place) const
{
    place = static_matrix(scene_.nodes[at]) * place;
    return !moving_.contains(at);
}

// A skeleton that moves along has the same place below the node as below the common ancestor.
StaticSkinPose::OptionalMatrix
StaticSkinPose::below_node(std::uint32_t joint, std::uint32_t node,
                           const std::unordered_set<std::uint32_t>& roots) const
{
    glm::dmat4 place(1.0);
    for (std::uint32_t at = joint; at != scene::none && at != node; at = scene_.nodes[at].parent) {
        if (!climb(at, place)) return std::nullopt;
        if (roots.contains(at)) break;
    }
    return place;
}

// Parents precede their children: the later of two nodes is not an ancestor of the other. The parent of
// roots, none + 1, precedes all.
StaticSkinPose::OptionalMatrix StaticSkinPose::against_node(std::uint32_t joint, std::uint32_t node) const
{
    glm::dmat4 of_joint(1.0), of_node(1.0);
    while (joint != node) {
        const bool joint_is_later = joint + 1 > node + 1;
        std::uint32_t& at = joint_is_later ? joint : node;
        if (!climb(at, joint_is_later ? of_joint : of_node)) return std::nullopt;
        at = scene_.nodes[at].parent;
    }
    return glm::inverse(of_node) * of_joint;
}

std::optional<std::vector<glm::dmat4>> StaticSkinPose::compute_matrices(const BoundSkin& skin)
{
    index_moving();
    const std::vector<std::uint32_t> taken = find_moving_skeleton_roots(scene_, skin).roots;
    const std::unordered_set<std::uint32_t> roots(taken.begin(), taken.end());
    std::vector<glm::dmat4> joints;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        const OptionalMatrix place = roots.empty() ? against_node(skin.joints[j], skin.node)
                                                   : below_node(skin.joints[j], skin.node, roots);
        if (!place || !is_finite(*place)) return std::nullopt;
        joints.push_back(*place * glm::dmat4(skin.inverse_bind[j]));
    }
    return joints;
}

void skin_static_pose(const std::vector<glm::dmat4>& joints, const glm::dmat4& bind_shape, scene::Mesh& mesh)
{
    const auto matrix_of = [&](std::size_t vertex) {
        return vertex_matrix(joints, bind_shape, mesh.influences, vertex);
    };
    std::vector<double> lengths(mesh.normals.size(), 1.0);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const glm::dmat4 matrix = matrix_of(v);
        mesh.positions[v] = within_reach(glm::dvec3(matrix * glm::dvec4(mesh.positions[v], 1.0)));
        const glm::dvec3 normal = normal_matrix(matrix) * glm::dvec3(mesh.normals[v]);
        const double length = glm::length(normal);
        if (!(length > 0.0) || !std::isfinite(length)) continue;
        lengths[v] = length;
        mesh.normals[v] = glm::vec3(normal / length);
    }
    for (scene::MorphTarget& target : mesh.morph_targets)
        for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            const std::uint32_t v = target.vertices[i];
            const glm::dmat4 matrix = matrix_of(v);
            glm::vec3& position = target.position_deltas[i];
            glm::vec3& normal = target.normal_deltas[i];
            position = within_reach(glm::dmat3(matrix) * glm::dvec3(position));
            normal = within_reach(normal_matrix(matrix) * glm::dvec3(normal) / lengths[v]);
        }
    mesh.influences = {};
}

} // namespace vitrine::dae
