#include "loaders/fbx/meshes/skins.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

#include <fmt/format.h>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::fbx {

LoadResult<std::optional<glm::dmat4>> read_matrix(Element element)
{
    const auto numbers = element.array<double>();
    if (!numbers) return std::unexpected(numbers.error());
    if (!numbers->empty() && numbers->size() < 16)
        return fail(LoadErrc::malformed, element.location(),
                    fmt::format("a matrix has {} numbers instead of 16", numbers->size()));
    if (numbers->size() != 16 || std::ranges::all_of(*numbers, [](double n) { return n == 0.0; }))
        return std::nullopt;
    glm::dmat4 matrix;
    for (std::size_t i = 0; i < 16; ++i) {
        if (!(std::abs((*numbers)[i]) < 1e30)) return std::nullopt;
        matrix[static_cast<glm::length_t>(i / 4)][static_cast<glm::length_t>(i % 4)] = (*numbers)[i];
    }
    for (glm::length_t c = 0; c < 4; ++c)
        matrix[c][3] = c == 3 ? 1.0 : 0.0;
    return matrix;
}

void BindPoses::read_pose(Element pose)
{
    for (const Element node : pose) {
        if (node.name() != "PoseNode") continue;
        const Value named = node["Node"][0u];
        const std::uint32_t object = named.is_text() ? context_.document.find_by_full_name(named.text())
                                                     : context_.document.find_by_id(named.integer());
        const auto matrix = read_matrix(node["Matrix"]);
        if (object != no_object && matrix && *matrix) by_model_->try_emplace(object, **matrix);
    }
}

void BindPoses::read_poses()
{
    by_model_.emplace();
    for (const Object& object : context_.document.objects())
        if (object.type == ObjectType::pose && object.sub_type == "BindPose") read_pose(object.element);
}

glm::dmat4 BindPoses::local_matrix(std::uint32_t node) const
{
    const scene::Node& at = context_.scene.nodes[node];
    return glm::dmat4(at.matrix ? *at.matrix : scene::to_matrix(at.local));
}

const glm::dmat4& BindPoses::static_matrix(std::uint32_t node)
{
    std::vector<std::uint32_t> unknown;
    for (; node != scene::none && !static_matrices_.contains(node); node = context_.scene.nodes[node].parent)
        unknown.push_back(node);
    const glm::dmat4* global = node == scene::none ? nullptr : &static_matrices_.at(node);
    for (const std::uint32_t below : std::views::reverse(unknown)) {
        const glm::dmat4 local = local_matrix(below);
        global = &static_matrices_.emplace(below, global ? *global * local : local).first->second;
    }
    return *global;
}

glm::dmat4 BindPoses::matrix_of(std::uint32_t model)
{
    if (!by_model_) read_poses();
    const auto found = by_model_->find(model);
    return found != by_model_->end() ? found->second : static_matrix(nodes_.node_of[model]);
}

} // namespace vitrine::fbx
