#pragma once
// A skin below a morph: the base of the morph is the skinned mesh, and its targets are not skinned. The Scene
// applies morphs before skins, so this is exact only for static joints: then the skinned vertices are the
// mesh.

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
    // Both arguments must outlive it.
    RestingJoints(const NodeTree& tree, const scene::Scene& scene) : tree_(tree), scene_(scene) {}

    // Returns, by joint of the skin, the matrix from a mesh vertex to the space of the skin's node; nullopt
    // when a joint is animated relative to that node.
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
    std::size_t indexed_ = 0;                  // number of node instances indexed
};

// Applies the influences to positions, normals and morph targets and removes them. Influences of joints
// outside `joints`, and vertices without influences, use the bind shape.
void skin_at_rest(const std::vector<glm::dmat4>& joints, const glm::dmat4& bind_shape, scene::Mesh& mesh);

} // namespace vitrine::dae
