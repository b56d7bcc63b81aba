#pragma once
// Level of detail for pictures that move: index lists of fewer triangles over a scene's own vertices, which
// are posed and skinned as ever. Pure; any thread but the render thread, for it takes some tenths of a second
// a million triangles.

#include <cstdint>
#include <memory>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct LodScene {
    struct IndexRange {
        std::uint32_t first = 0; // in `indices`
        std::uint32_t count = 0;
    };
    // Of a primitive: what is there for both sides of a face (scene/back_to_back.hpp) is drawn by itself.
    struct PrimitiveRanges {
        IndexRange single, back_to_back;
    };
    std::vector<std::uint32_t> indices; // into the vertices of their mesh
    std::vector<std::vector<PrimitiveRanges>>
        primitives; // by mesh, then by primitive; empty for a mesh that is not drawn
};

inline constexpr std::uint64_t lod_triangles = 20'000;

// How many a scene that is drawn too slowly may have while it moves: a quarter, between 5,000 and
// lod_triangles.
std::uint64_t lod_triangles_of(const scene::Scene& scene);

// About `triangles` in all that is drawn; lines, points and small primitives stay as they are. Null: the
// scene draws less than three times as many, which is no matter. Precondition: scene::validate().
std::shared_ptr<const LodScene> build_lod(const scene::Scene& scene, std::uint64_t triangles = lod_triangles);

} // namespace vitrine::render
