#pragma once
// Skin deformers: clusters of weights, each with its joint and the bind matrices of joint and mesh.

#include <optional>
#include <unordered_map>

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Reads sixteen numbers of an affine matrix; nullopt when one exceeds 1e30 or all are zero. Rows for row
// vectors in the file equal columns for column vectors here, so the order is the same.
LoadResult<std::optional<glm::dmat4>> read_matrix(Element element);

// The matrices of nodes at bind time, for clusters that do not store them.
class BindPoses {
public:
    BindPoses(const LoadContext& context, const NodeMap& nodes) : context_(context), nodes_(nodes) {}

    // Returns the matrix from the file's bind poses; otherwise the node's static global matrix.
    glm::dmat4 matrix_of(std::uint32_t model);

private:
    void read_poses();
    void read_pose(Element pose);
    const glm::dmat4& static_matrix(std::uint32_t node);
    glm::dmat4 local_matrix(std::uint32_t node) const;

    const LoadContext& context_;
    const NodeMap& nodes_;
    std::optional<std::unordered_map<std::uint32_t, glm::dmat4>> by_model_; // read on first use
    std::unordered_map<std::uint32_t, glm::dmat4> static_matrices_;         // by node: global matrices
};

// How weights that do not sum to 1 are interpreted.
enum class LinkMode : std::uint8_t {
    normalize, // divided by their sum
    additive,  // the remainder follows the mesh, and each cluster moves the result of the previous ones
};

struct ClusterWeights {
    std::uint16_t joint = 0; // index into SkinSource::joints
    std::vector<std::int32_t> points;
    std::vector<float> weights; // one per point
};

struct MixedWeights {
    scene::Influences influences; // by control point; the weights of a point sum to 1
    bool has_remainder = false;   // some weights belong to `remainder_joint`
};

// Converts the weights of clusters (points per joint) to influences (joints per point). Drops influences of
// points >= `points` with a warning at `where`. Errors: limit_exceeded (influences).
LoadResult<MixedWeights> mix_weights(const LoadContext& context, std::span<const ClusterWeights> clusters,
                                     std::size_t points, LinkMode mode, std::uint16_t remainder_joint,
                                     std::string_view where);

// Expands influences of control points to vertices.
scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points);

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

// Returns the skin for a mesh at a scene node, without a name. `geometric` is the geometric transform of the
// node's model, which the vertices of the mesh do not include. Matrices that are not finite become the
// identity.
scene::Skin make_skin(const SkinSource& source, std::uint32_t node, const glm::dmat4& geometric);

} // namespace vitrine::fbx
