#pragma once
// Converts the weights of clusters (points per joint) to influences (joints per point).

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

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

// Drops influences of points >= `points` with a warning at `where`. Errors: limit_exceeded (influences).
LoadResult<MixedWeights> mix_weights(const LoadContext& context, std::span<const ClusterWeights> clusters,
                                     std::size_t points, LinkMode mode, std::uint16_t remainder_joint,
                                     std::string_view where);

// Expands influences of control points to vertices.
scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points);

} // namespace vitrine::fbx
