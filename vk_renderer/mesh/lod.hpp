#pragma once
// Level of detail for moving images: index lists of fewer triangles over a scene's own vertices, which are
// posed and skinned as before. Pure functions for any thread except the render thread: they take some tenths
// of a second per million triangles.

#include <cstdint>
#include <memory>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct LodIndices {
    struct IndexRange {
        std::uint32_t first = 0; // in `indices`
        std::uint32_t count = 0;
    };
    // Ranges of a primitive: back-to-back triangles (mesh/back_to_back.hpp) are drawn separately.
    struct PrimitiveRanges {
        IndexRange single, back_to_back;
    };
    std::vector<std::uint32_t> indices; // vertices of the mesh
    std::vector<std::vector<PrimitiveRanges>>
        primitives; // by mesh, then by primitive; empty for a mesh that is not drawn
};

inline constexpr std::uint64_t max_lod_triangles = 20'000;

// Returns the triangle count for a scene that renders too slowly while it moves: a quarter of its triangles,
// between 5,000 and max_lod_triangles.
std::uint64_t lod_triangle_count(const scene::Scene& scene);

// Builds a scene of about `triangles` drawn triangles; lines, points and small primitives are unchanged.
// Returns null if the scene draws less than `min_reduction` times as many, where the gain is small.
// Precondition: scene::validate().
std::shared_ptr<const LodIndices>
build_lod(const scene::Scene& scene, std::uint64_t triangles = max_lod_triangles, double min_reduction = 3.0);

} // namespace vitrine::render
