#pragma once
// The weights of clusters, which list points, as influences of points, which list joints.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// How weights that do not sum to 1 are meant.
enum class LinkMode : std::uint8_t {
    normalize, // by their shares
    additive,  // what is missing stays with the mesh, and each cluster moves what those before it made
};

struct ClusterWeights {
    std::uint16_t joint = 0; // in SkinSource::joints
    std::vector<std::int32_t> points;
    std::vector<float> weights; // as many
};

struct MixedWeights {
    scene::Influences influences; // by control point, each point's weights sum up to 1
    bool has_remainder = false;   // some of them belong to `remainder_joint`
};

// Points past `points` are left out with a warning at `where`. Errors: limit_exceeded (influences).
LoadResult<MixedWeights> mix_weights(const LoadContext& context, std::span<const ClusterWeights> clusters,
                                     std::size_t points, LinkMode mode, std::uint16_t remainder_joint,
                                     std::string_view where);

// From control points to vertices.
scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points);

} // namespace vitrine::fbx
