#include "loaders/3ds/scene_builder.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::threeds {
namespace {

bool is_usable(const glm::mat4& matrix)
{
    constexpr float max_matrix_element = 1e18f;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            if (!(std::abs(matrix[i][k]) < max_matrix_element)) return false;
    return true;
}

bool is_near(const glm::mat4& a, const glm::mat4& b)
{
    float largest = 0.0f, difference = 0.0f;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            largest = std::max(largest, std::abs(b[i][k]));
            difference = std::max(difference, std::abs(a[i][k] - b[i][k]));
        }
    return difference <= 1e-5f * largest;
}

// Node-to-world matrices, each computed once.
class Models {
public:
    Models(std::span<const StaticNode> static_nodes, const scene::Scene& scene)
        : scene_(scene), known_(scene.nodes.size())
    {
        for (const StaticNode& node : static_nodes)
            known_[node.node] = node.model;
    }

    glm::dmat4 of(std::uint32_t node)
    {
        std::vector<std::uint32_t> delta;
        for (; node != scene::none && !known_[node]; node = scene_.nodes[node].parent)
            delta.push_back(node);
        glm::dmat4 model = node == scene::none ? glm::dmat4(1.0) : *known_[node];
        for (; !delta.empty(); delta.pop_back()) {
            model = model * glm::dmat4(scene::to_matrix(scene_.nodes[delta.back()].local));
            known_[delta.back()] = model;
        }
        return model;
    }

private:
    const scene::Scene& scene_;
    std::vector<std::optional<glm::dmat4>> known_;
};

} // namespace

void place_static_nodes(std::span<const StaticNode> static_nodes, scene::Scene& scene)
{
    if (static_nodes.empty()) return;
    Models models(static_nodes, scene);
    for (const StaticNode& placed : static_nodes) {
        scene::Node& node = scene.nodes[placed.node];
        const glm::dmat4 parent = models.of(node.parent);
        if (glm::determinant(parent) == 0.0) continue;
        const glm::mat4 local(glm::inverse(parent) * placed.model);
        if (!is_usable(local)) continue;
        node.local = scene::decompose(local);
        if (!is_near(scene::to_matrix(node.local), local)) node.matrix = local;
    }
}

} // namespace vitrine::threeds
