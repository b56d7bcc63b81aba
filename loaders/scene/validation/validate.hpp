#pragma once
// The gate between loaded data and everything that trusts it: after validate() accepted a Scene, every index
// is in range, every count agrees, every number is finite, parents stand before their children. Renderer,
// pose and export rely on it and check nothing again.

#include <cstddef>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// What one scene may draw, all instances together: a file of a kilobyte can ask for far more.
inline constexpr std::size_t max_palette_entries = std::size_t{1} << 22;
inline constexpr std::size_t max_morph_weights = std::size_t{1} << 24;
inline constexpr std::size_t max_drawn_vertices = std::size_t{1} << 31; // and indices, influences

// Bytes of names where each texture of all materials says its image's, or each channel of a clip its node's:
// what is told of a scene does.
inline constexpr std::size_t max_repeated_names = std::size_t{1} << 28;

// Errors: out_of_range, malformed or limit_exceeded, `where` as a JSON pointer into the Scene
// ("/meshes/2/indices").
LoadResult<void> validate(const Scene& scene);

// Whether the static pose lies within scene::farthest (bounds.hpp), asked of every loaded file, after
// validate(). Error: out_of_range.
LoadResult<void> check_extent(const Scene& scene);

} // namespace vitrine::scene
