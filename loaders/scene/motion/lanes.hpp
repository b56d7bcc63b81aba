#pragma once
// Values and matrices of eight moments at once: the numbers of the moments are lanes of vectors. Operations
// and their order are those of sample_channel(), to_matrix() and multiply_affine(), so results are equal bit
// by bit. Compiled for AVX2 too (docs/decisions/0020-vectorized-loops.md); lane_loops.hpp has the bodies.
// Private to loaders/scene.

#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {

inline constexpr std::size_t lane_count = 8; // moments

// One number for each moment.
using Lane = float[lane_count];

// Positions of the moments among the keys of a channel, as KeyPosition: interpolated by `fraction` between
// the keys `from` and `to`, which are equal where there is nothing to interpolate.
struct alignas(32) KeyLanes {
    double fraction[lane_count];
    double span[lane_count];
    std::int64_t between[lane_count]; // 0 or -1
    std::uint32_t from[lane_count];
    std::uint32_t to[lane_count];
};

// Translation, rotation x y z w and scale of a node.
struct alignas(32) LocalLanes {
    static constexpr std::size_t translation = 0, rotation = 3, scale = 7, count = 10;
    Lane values[count];
};

// The columns of an affine matrix, three numbers each.
struct alignas(32) MatrixLanes {
    static constexpr std::size_t count = 12;
    Lane values[count];
};

// Pose::origin of each moment.
struct alignas(32) OriginLanes {
    double values[3][lane_count];
};

// Samplers write 3 lanes, those of rotations 4. `values`: Channel::values.

// Translation or scale, linear or step.
void sample_vectors(const float* values, const KeyLanes& at, Lane* out);
void sample_cubic_vectors(const float* values, const KeyLanes& at, Lane* out);
// Linear or step. Returns whether all quaternions are used with their length; otherwise `out` is undefined.
bool sample_rotations(const float* values, const KeyLanes& at, Lane* out);
// Normalized. Returns whether all had a direction; otherwise `out` is undefined.
bool sample_cubic_rotations(const float* values, const KeyLanes& at, Lane* out);

// A node to place in the scene. Its local transform is `matrix`, or the lanes of the node.
struct PlacedNode {
    std::uint32_t node = 0;
    std::uint32_t parent = 0; // none: relative to the origin
    const glm::mat4* matrix = nullptr;
    bool has_tracks = false; // its Pose::local is written
};

// Computes the model matrices of `nodes`, parents first, and writes them and the local transforms to the
// poses, at most eight. `local` and `model`: by node.
void place_nodes(std::span<const PlacedNode> nodes, std::span<const LocalLanes> local,
                 std::span<MatrixLanes> model, const OriginLanes& origins, std::span<Pose> poses);

} // namespace vitrine::scene
