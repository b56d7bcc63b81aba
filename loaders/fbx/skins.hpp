#pragma once
// Skin deformers: clusters of weights, each with the joint that it follows and where both were when bound.

#include "loaders/fbx/bind_pose.hpp"

namespace vitrine::fbx {

struct SkinSource {
    scene::SkinningMethod method = scene::SkinningMethod::linear;
    std::vector<std::uint32_t> joints;    // scene nodes
    std::vector<glm::dmat4> inverse_bind; // from the mesh's own frame, geometric transform not in it
    scene::Influences influences;         // by control point; weights sum up to 1
};

// The skin of a mesh, if it has one with at least one joint.
LoadResult<std::optional<SkinSource>> read_skin(const Import& import, const NodeMap& nodes, BindPoses& poses,
                                                std::uint32_t mesh, std::uint32_t model,
                                                std::size_t control_points);

// From control points to vertices.
scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points);

} // namespace vitrine::fbx
