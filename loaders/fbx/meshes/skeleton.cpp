#include "loaders/fbx/meshes/meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loaders/fbx/meshes/skins.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

bool is_limb(const Object& object)
{
    constexpr std::array<std::string_view, 3> kinds{"LimbNode", "Limb", "Root"};
    return object.type == ObjectType::model && std::ranges::find(kinds, object.sub_type) != kinds.end();
}

glm::mat4 inverse_bind(const glm::dmat4& bind)
{
    if (std::abs(glm::determinant(glm::dmat3(bind))) < 1e-30) return glm::mat4(1.0f);
    glm::mat4 inverse(glm::inverse(bind));
    for (glm::length_t column = 0; column < 4; ++column)
        for (glm::length_t row = 0; row < 4; ++row)
            if (!std::isfinite(inverse[column][row])) return glm::mat4(1.0f);
    for (glm::length_t column = 0; column < 4; ++column)
        inverse[column][3] = column == 3 ? 1.0f : 0.0f;
    return inverse;
}

class Skeletons {
public:
    Skeletons(const LoadContext& context, const NodeMap& nodes)
        : context_(context), model_of_(context.scene.nodes.size(), no_object),
          joint_(context.scene.nodes.size(), false)
    {
        for (std::uint32_t i = 0; i < context.document.objects().size(); ++i)
            if (nodes.node_of[i] != scene::none) model_of_[nodes.node_of[i]] = i;
        for (const scene::Skin& skin : context.scene.skins)
            for (const std::uint32_t joint : skin.joints)
                joint_[joint] = true;
    }

    // Returns, ascending, the nodes of chains that contain a skin joint.
    std::vector<std::uint32_t> loose() const
    {
        const auto& nodes = context_.scene.nodes;
        std::vector<std::uint32_t> top(nodes.size(), scene::none); // of the chain that contains the node
        std::vector<bool> used(nodes.size(), false);
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            const std::uint32_t above =
                nodes[node].parent == scene::none ? scene::none : top[nodes[node].parent];
            // Helper nodes for pivots and scales are between two models.
            if (model_of_[node] == no_object)
                top[node] = above;
            else if (joint_[node] || is_limb(context_.document.object(model_of_[node])))
                top[node] = above == scene::none ? node : above;
            if (joint_[node]) used[top[node]] = true;
        }
        std::vector<std::uint32_t> out;
        for (std::uint32_t node = 0; node < nodes.size(); ++node)
            if (model_of_[node] != no_object && !joint_[node] && top[node] != scene::none && used[top[node]])
                out.push_back(node);
        return out;
    }

    std::uint32_t model_of(std::uint32_t node) const { return model_of_[node]; }

private:
    const LoadContext& context_;
    std::vector<std::uint32_t> model_of_; // by node
    std::vector<bool> joint_;             // by node: a skin lists it
};

} // namespace

LoadResult<void> add_unskinned_joints(const LoadContext& context, const NodeMap& nodes)
{
    if (context.scene.skins.empty()) return {};
    const Skeletons skeletons(context, nodes);
    scene::Skin rest;
    rest.joints = skeletons.loose();
    if (rest.joints.empty()) return {};
    if (rest.joints.size() > context.limits.joints)
        return io::limit_exceeded_error({}, fmt::format("{} joints", rest.joints.size()), "joints",
                                        context.limits.joints);
    BindPoses poses(context, nodes);
    for (const std::uint32_t joint : rest.joints)
        rest.inverse_bind.push_back(inverse_bind(poses.matrix_of(skeletons.model_of(joint))));
    context.scene.skins.push_back(std::move(rest));
    return {};
}

} // namespace vitrine::fbx
