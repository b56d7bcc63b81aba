#include <cmath>
#include <string>
#include <vector>

#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/scene/validation/validate_helpers.hpp"

namespace vitrine::scene {
namespace {

constexpr double quaternion_length_tolerance = 1e-3; // deviation of the length from 1

bool is_unit(const glm::quat& q)
{
    const double length = glm::length(glm::dvec4(q.x, q.y, q.z, q.w));
    return std::abs(length - 1.0) <= quaternion_length_tolerance;
}

ValidationResult check_links(const Scene& scene, std::size_t i)
{
    const Node& node = scene.nodes[i];
    if (node.parent != none && node.parent >= i)
        return fail(LoadErrc::out_of_range, at("/nodes", i, "/parent"),
                    "the parent does not precede the node");
    if (!is_index_or_none(node.helper_of, scene.nodes.size()))
        return fail(LoadErrc::out_of_range, at("/nodes", i, "/helper_of"), "the node does not exist");
    if (node.helper_of != none && scene.nodes[node.helper_of].helper_of != none)
        return fail(LoadErrc::malformed, at("/nodes", i, "/helper_of"), "a helper belongs to another helper");
    if (!is_index_or_none(node.mesh, scene.meshes.size()))
        return fail(LoadErrc::out_of_range, at("/nodes", i, "/mesh"), "the mesh does not exist");
    if (!is_index_or_none(node.skin, scene.skins.size()))
        return fail(LoadErrc::out_of_range, at("/nodes", i, "/skin"), "the skin does not exist");
    if (node.skin != none && node.mesh == none)
        return fail(LoadErrc::malformed, at("/nodes", i, "/skin"), "the node has a skin but no mesh");
    return {};
}

} // namespace

ValidationResult check_node(const Scene& scene, std::size_t i)
{
    const Node& node = scene.nodes[i];
    if (!is_utf8(node.name))
        return fail(LoadErrc::malformed, at("/nodes", i, "/name"), "the text is not UTF-8");
    if (ValidationResult ok = check_links(scene, i); !ok) return ok;
    if (!is_finite(node.local.translation) || !is_finite(node.local.rotation) || !is_finite(node.local.scale))
        return fail(LoadErrc::malformed, at("/nodes", i, "/local"), "a number is not finite");
    if (!is_unit(node.local.rotation))
        return fail(LoadErrc::malformed, at("/nodes", i, "/local/rotation"),
                    "the quaternion does not have unit length");
    if (node.matrix && (!is_finite(*node.matrix) || !is_affine(*node.matrix)))
        return fail(LoadErrc::malformed, at("/nodes", i, "/matrix"), "the matrix is not finite and affine");
    if (static_cast<std::size_t>(node.human_bone) >= human_bone_count)
        return fail(LoadErrc::malformed, at("/nodes", i, "/human_bone"), "the human bone is unknown");
    if (node.levels.first > node.levels.last || (node.visible && node.levels.first > 0))
        return fail(LoadErrc::malformed, at("/nodes", i, "/levels"),
                    "the levels of detail do not ascend, or show a less detailed one");
    if (!is_finite(node.color))
        return fail(LoadErrc::malformed, at("/nodes", i, "/color"), "a number is not finite");
    const std::size_t targets = node.mesh == none ? 0 : scene.meshes[node.mesh].morph_targets.size();
    if (!node.morph_weights.empty() && node.morph_weights.size() != targets)
        return fail(LoadErrc::malformed, at("/nodes", i, "/morph_weights"),
                    "the number of weights differs from the number of morph targets");
    if (!all_finite(node.morph_weights))
        return fail(LoadErrc::malformed, at("/nodes", i, "/morph_weights"), "a number is not finite");
    return {};
}

ValidationResult check_skin(const Scene& scene, std::size_t i)
{
    const Skin& skin = scene.skins[i];
    if (!is_utf8(skin.name))
        return fail(LoadErrc::malformed, at("/skins", i, "/name"), "the text is not UTF-8");
    if (skin.method > SkinningMethod::blended)
        return fail(LoadErrc::malformed, at("/skins", i, "/method"), "the skinning method is unknown");
    if (skin.inverse_bind.size() != skin.joints.size())
        return fail(LoadErrc::malformed, at("/skins", i, "/inverse_bind"),
                    "the number of matrices differs from the number of joints");
    for (const std::uint32_t joint : skin.joints) {
        if (!is_index(joint, scene.nodes.size()))
            return fail(LoadErrc::out_of_range, at("/skins", i, "/joints"), "a joint is not a node");
    }
    for (const glm::mat4& matrix : skin.inverse_bind) {
        if (!is_finite(matrix) || !is_affine(matrix))
            return fail(LoadErrc::malformed, at("/skins", i, "/inverse_bind"),
                        "a matrix is not finite and affine");
    }
    return {};
}

ValidationResult check_skinned_meshes(const Scene& scene)
{
    std::vector<std::size_t> needed(scene.meshes.size(), 0);
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        const auto& joints = scene.meshes[m].influences.joints;
        if (!joints.empty()) needed[m] = max_value(joints) + std::size_t{1};
    }
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.skin == none) continue;
        const Skin& skin = scene.skins[node.skin];
        if (needed[node.mesh] > skin.joints.size())
            return fail(LoadErrc::out_of_range, at("/nodes", i, "/skin"),
                        "the mesh refers to a joint that the skin does not have");
        if (skin.method != SkinningMethod::linear && !scene.meshes[node.mesh].influences.positions.empty())
            return fail(LoadErrc::malformed, at("/nodes", i, "/skin"),
                        "influences with individual positions require linear skinning");
    }
    return {};
}

ValidationResult check_cost(const Scene& scene)
{
    std::size_t palette = 0, weights = 0, vertices = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh == none) continue;
        palette += node.skin == none ? 1 : scene.skins[node.skin].joints.size() + 1;
        weights += scene.meshes[node.mesh].morph_targets.size();
        const Mesh& mesh = scene.meshes[node.mesh];
        vertices += mesh.positions.size() + mesh.indices.size() + mesh.influences.joints.size();
        if (palette > max_palette_entries || weights > max_morph_weights || vertices > max_drawn_vertices)
            return fail(LoadErrc::limit_exceeded, at("/nodes", i),
                        "the instances use more joints, weights or vertices than allowed for one scene");
    }
    return {};
}

ValidationResult check_rest_pose(const Scene& scene)
{
    Pose pose;
    static_pose(scene, pose);
    for (std::size_t i = 0; i < pose.model.size(); ++i) {
        if (!is_finite(pose.model[i]))
            return fail(LoadErrc::out_of_range, at("/nodes", i, "/local"),
                        "the node's position is out of the range of a float");
    }
    return {};
}

} // namespace vitrine::scene
