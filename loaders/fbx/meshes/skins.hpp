#pragma once
// Skin deformers: clusters of weights, each with the joint that it follows and where both were when bound.

#include "loaders/fbx/meshes/bind_pose.hpp"
#include "loaders/fbx/meshes/skin_weights.hpp"

namespace vitrine::fbx {

// A joint of an additive cluster, seen from its associate model.
struct Associate {
    std::uint32_t slot = 0; // in SkinSource::joints
    std::uint32_t node = 0; // the associate model's
    glm::dmat4 start{1.0};  // it, seen from the mesh when bound
};

struct SkinSource {
    scene::SkinningMethod method = scene::SkinningMethod::linear;
    std::vector<std::uint32_t> joints;    // scene nodes
    std::vector<glm::dmat4> inverse_bind; // from the mesh's own frame, geometric transform not in it
    scene::Influences influences;         // by control point; weights sum up to 1
    std::vector<Associate> associates;
    // The joint, one behind those of the clusters, that the rest of weights goes to: the mesh's own model.
    bool has_remainder = false;

    bool is_of_model() const { return has_remainder || !associates.empty(); }
};

// The skin of a mesh, if it has one with at least one joint.
LoadResult<std::optional<SkinSource>> read_skin(const LoadContext& context, const NodeMap& nodes,
                                                BindPoses& poses, std::uint32_t mesh, std::uint32_t model,
                                                std::size_t control_points);

} // namespace vitrine::fbx
