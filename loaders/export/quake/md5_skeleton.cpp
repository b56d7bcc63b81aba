#include "loaders/export/quake/md5_skeleton.hpp"

#include <algorithm>

#include "loaders/export/quake/quake_axes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {

Md5Placement md5_placement(const glm::mat4& matrix)
{
    const auto trs = scene::decompose(matrix);
    const auto q = glm::normalize(trs.rotation);
    const float sign = q.w > 0.0f ? -1.0f : 1.0f;
    return {trs.translation, sign * glm::vec3(q.x, q.y, q.z)};
}

Md5Skeleton md5_skeleton(const scene::Scene& scene)
{
    Md5Skeleton skeleton{glm::mat4(quake_axes(scene)),
                         {{"origin", scene::none, scene::none, glm::mat4(1.0f)}}};
    if (scene.skins.empty()) return skeleton;
    auto& joints = skeleton.joints;
    const auto& skin = scene.skins.front();
    std::vector<std::uint32_t> order(skin.joints.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return skin.joints[i]; }); // parents before children
    std::vector<std::uint32_t> joint_of_node(scene.nodes.size(), scene::none);
    const auto parents = scene::file_parents(scene);
    for (const auto i : order) {
        const auto node = skin.joints[i];
        auto ancestor = parents[node];
        while (ancestor != scene::none && joint_of_node[ancestor] == scene::none)
            ancestor = parents[ancestor];
        const auto parent = ancestor == scene::none ? 0u : joint_of_node[ancestor];
        joint_of_node[node] = static_cast<std::uint32_t>(joints.size());
        joints.push_back({scene.nodes[node].name, node, parent,
                          skeleton.in_file_axes(glm::inverse(skin.inverse_bind[i]))});
    }
    return skeleton;
}

std::string quoted_md5_name(std::string text)
{
    std::erase(text, '"');
    return '"' + text + '"';
}

} // namespace vitrine::exporting
