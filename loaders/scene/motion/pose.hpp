#pragma once
// From a clip and a time to matrices: sample -> local -> model -> joint palette. Jobs in the manner of ozz:
// they own nothing, and a Pose used again allocates nothing.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Two of a mesh's VertexFrames: frame `from` moved by `fraction`, 0 .. 1, towards frame `to`.
struct FrameBlend {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    float fraction = 0.0f;

    bool operator==(const FrameBlend&) const = default;
};

// The state of every node at one time.
struct Pose {
    // What `model`, and all that is made of it, is measured from; whoever samples sets it. Far from the
    // scene's own origin a float is coarse.
    glm::dvec3 origin{0.0};
    std::vector<Trs> local;                  // by node; the rest value where the node has a matrix
    std::vector<glm::mat4> model;            // by node: node space -> scene space from `origin`
    std::vector<float> morph_weights;        // all nodes' weights, one after the other
    std::vector<std::uint32_t> first_weight; // by node: its first entry in morph_weights; nodes + 1 entries
    std::vector<FrameBlend> vertex_frame;    // by node, of its mesh's VertexFrames
};

// The static pose of the file: rest transforms, default weights, frame 0.
void rest_pose(const Scene& scene, Pose& pose);

// The clip at `time` seconds from its start, held at its ends; of `none` the static pose. Nodes and weights
// without a channel keep their rest values. Precondition: clip < scene.clips.size() or none.
void sample_pose(const Scene& scene, std::uint32_t clip, double time, Pose& pose);

// Outside a channel's keys: as it says, or the end values.
enum class ExtrapolationPolicy : std::uint8_t { extrapolated, clamped };
// The clip's curves at any time, outside its window too; of `none` the static pose.
void sample_curves(const Scene& scene, std::uint32_t clip, double time, ExtrapolationPolicy policy,
                   Pose& pose);

// Three rows of the matrix that takes a bind-pose position to scene space: row i dot (x, y, z, 1). 12 floats.
struct PaletteEntry {
    glm::vec4 row[3];
};
static_assert(sizeof(PaletteEntry) == 48);

// What is drawn: a visible node with a mesh. Its palette holds the joints of its skin, then the node itself,
// for the vertices without influences; without a skin only the node.
struct Instance {
    std::uint32_t node = none;
    std::uint32_t mesh = none;
    std::uint32_t skin = none;
    std::uint32_t first_palette = 0; // entry in the frame's palette where this instance begins
    std::uint32_t palette_count = 0;
};

std::vector<Instance> find_instances(const Scene& scene);
// Whether any instance has an element to draw. A valid file may hold materials, cameras or clips alone.
bool draws_anything(const Scene& scene);
std::uint32_t palette_size(std::span<const Instance> instances);

// Fills `palette` (palette_size() entries) for all instances of the scene.
void joint_palette(const Scene& scene, std::span<const Instance> instances, const Pose& pose,
                   std::span<PaletteEntry> palette);

glm::mat4 to_matrix(const Trs& trs);
// T, R, S: exact without skew; with it the axes are made orthonormal by Gram-Schmidt, x first.
Trs decompose(const glm::mat4& matrix);

// Any affine matrix as outer * inner: a rotation below a T, R, S, which says skew exactly.
struct AffineFactors {
    Trs outer;
    glm::quat inner{1.0f, 0.0f, 0.0f, 0.0f};
};
AffineFactors factor_affine(const glm::mat4& matrix);

// The palette entry of the vertex' first joint: near enough to order surfaces by one of theirs and to tell
// which way round their triangles turn.
std::uint32_t dominant_joint(const Instance& instance, const Mesh& mesh, std::uint32_t vertex);

// Whether counter-clockwise triangles become clockwise.
bool mirrors(const PaletteEntry& entry);

} // namespace vitrine::scene
