#pragma once
// Evaluates a clip at a time: sampling -> local transforms -> model transforms -> joint palette. The
// functions own no state, as ozz-animation's jobs do; reusing a Pose avoids allocation.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/extrapolation_policy.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Two of a mesh's VertexFrames, interpolated linearly from frame `from` to frame `to` by `fraction` (0 .. 1).
// Where layers of clips are mixed, the result is interpolated by `over_weight` (0 .. 1) to a second such
// pair.
struct FrameBlend {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    float fraction = 0.0f;
    std::uint32_t over_from = 0;
    std::uint32_t over_to = 0;
    float over_fraction = 0.0f;
    float over_weight = 0.0f;

    bool operator==(const FrameBlend&) const = default;
};

// A matrix in place of Node::matrix.
struct NodeMatrix {
    std::uint32_t node = none;
    glm::mat4 matrix{1.0f};
};

// The state of every node at one time.
struct Pose {
    // Origin of `model` and of everything derived from it, set by the caller before sampling. Far from the
    // scene's origin floats are too coarse.
    glm::dvec3 origin{0.0};
    std::vector<Trs> local;           // by node; the static value if the node has a matrix
    std::vector<glm::mat4> model;     // by node: node space -> scene space relative to `origin`
    std::vector<float> morph_weights; // weights of all nodes, concatenated
    // by node: index of its first weight in morph_weights; nodes + 1 entries
    std::vector<std::uint32_t> first_weight;
    std::vector<FrameBlend> vertex_frame; // by node: the blend of its mesh's VertexFrames
    std::vector<NodeMatrix> matrices;     // of nodes with a matrix that is not the static one; in node order
};

// The static pose of the file: static transforms, default weights, frame 0.
void static_pose(const Scene& scene, Pose& pose);

// Samples the clip at `time` seconds from its start, clamped to its duration; the static pose if clip is
// `none`. Nodes and weights without a channel keep their static values. Precondition: clip <
// scene.clips.size() or none.
void sample_pose(const Scene& scene, std::uint32_t clip, double time, Pose& pose);

// Samples the clip's curves at any time, also outside its duration; the static pose if clip is `none`.
void sample_curves(const Scene& scene, std::uint32_t clip, double time, ExtrapolationPolicy policy,
                   Pose& pose);

// The two parts of an evaluation around the sampling: the first writes all members but `model`, the second
// `model` from `local` and `matrices`.
void reset_to_static(const Scene& scene, Pose& pose);
void local_to_model(const Scene& scene, Pose& pose);

// The first three rows of the matrix from bind-pose positions to scene space: row i dot (x, y, z, 1). 12
// floats.
struct PaletteEntry {
    glm::vec4 row[3];
};
static_assert(sizeof(PaletteEntry) == 48);

// A visible node with a mesh. Its palette holds the joints of its skin followed by the node itself (for
// vertices without influences); without a skin only the node.
struct Instance {
    std::uint32_t node = none;
    std::uint32_t mesh = none;
    std::uint32_t skin = none;
    std::uint32_t first_palette = 0; // index of the instance's first entry in the frame's palette
    std::uint32_t palette_count = 0;
};

std::vector<Instance> find_instances(const Scene& scene);
// Whether any instance has an element to draw. A valid file may contain only materials, cameras or clips.
bool draws_anything(const Scene& scene);
std::uint32_t palette_size(std::span<const Instance> instances);

// Fills `palette` (palette_size() entries) for all instances of the scene.
void joint_palette(const Scene& scene, std::span<const Instance> instances, const Pose& pose,
                   std::span<PaletteEntry> palette);

glm::mat4 to_matrix(const Trs& trs);
// Splits into T, R, S: exact without shear; with shear the axes are orthonormalized by Gram-Schmidt, x first.
Trs decompose(const glm::mat4& matrix);

// Any affine matrix as outer * inner: a rotation followed by a T, R, S transform. Represents shear exactly.
struct AffineFactors {
    Trs outer;
    glm::quat inner{1.0f, 0.0f, 0.0f, 0.0f};
};
AffineFactors factor_affine(const glm::mat4& matrix);

// The palette entry of the first influence of the vertex. The dominant joint, that of the largest weight,
// would need all influences; the first one is sufficient to sort surfaces by one vertex and to determine the
// winding of their triangles.
std::uint32_t first_influence_entry(const Instance& instance, const Mesh& mesh, std::uint32_t vertex);

// Whether the transform reverses the winding of triangles.
bool mirrors(const PaletteEntry& entry);

} // namespace vitrine::scene
