#pragma once
// A skin below a morph: what the morph starts from is the skinned mesh, and its targets are not skinned. The
// Scene morphs before it skins, so that this is exact only where the joints rest: then the skinned vertices
// are the mesh.

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/controllers/skin_placement.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

class RestingJoints {
public:
    // Both outlive it.
    RestingJoints(const NodeTree& tree, const scene::Scene& scene) : tree_(tree), scene_(scene) {}

    // By joint of the skin: takes a vertex of the mesh to its place in the coordinates of the skin's node.
    // Absent where a joint moves against that node.
    std::optional<std::vector<glm::dmat4>> of(const BoundSkin& skin);

private:
    using Place = std::optional<glm::dmat4>;

    void index_moving();
    Place below_node(std::uint32_t joint, std::uint32_t node,
                     const std::unordered_set<std::uint32_t>& roots) const;
    Place against_node(std::uint32_t joint, std::uint32_t node) const;
    bool climb(std::uint32_t at, glm::dmat4& place) const;

    const NodeTree& tree_;
    const scene::Scene& scene_;
    std::unordered_set<std::uint32_t> moving_; // nodes
    std::size_t indexed_ = 0;                  // node instances
};

// Moves positions, normals and morph targets to where their influences have them, and drops these. An
// influence of a joint that is not among `joints`, and a vertex without any, has the bind shape.
void skin_at_rest(const std::vector<glm::dmat4>& joints, const glm::dmat4& bind_shape, scene::Mesh& mesh);

} // namespace vitrine::dae
