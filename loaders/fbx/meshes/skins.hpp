#pragma once
// Skin deformers: clusters of weights, each with its joint and the bind matrices of joint and mesh.

#include "loaders/fbx/meshes/bind_pose.hpp"
#include "loaders/fbx/meshes/skin_weights.hpp"

namespace vitrine::fbx {

// A joint of an additive cluster, relative to its associate model.
struct Associate {
    std::uint32_t slot = 0; // index into SkinSource::joints
    std::uint32_t node = 0; // the associate model's
    glm::dmat4 start{1.0};  // the associate model's bind matrix relative to the mesh
};

struct SkinSource {
    scene::SkinningMethod method = scene::SkinningMethod::linear;
    std::vector<std::uint32_t> joints;    // scene nodes
    std::vector<glm::dmat4> inverse_bind; // from mesh space, without the geometric transform
    scene::Influences influences;         // by control point; weights sum to 1
    std::vector<Associate> associates;
    // The joint for remaining weights is the mesh's own model; its index follows those of the clusters.
    bool has_remainder = false;

    bool is_of_model() const { return has_remainder || !associates.empty(); }
};

// Returns the skin of a mesh; nullopt without a skin that has at least one joint.
LoadResult<std::optional<SkinSource>> read_skin(const LoadContext& context, const NodeMap& nodes,
                                                BindPoses& poses, std::uint32_t mesh, std::uint32_t model,
                                                std::size_t control_points);

} // namespace vitrine::fbx
