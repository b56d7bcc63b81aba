#pragma once
// Validates loaded data before any other module uses it. In a Scene accepted by validate() every index is in
// range, counts agree, numbers are finite, and parents precede their children. Renderer, pose evaluation and
// export rely on this without further checks.

#include <cstddef>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Limits for what all instances of a scene draw together; a file of a kilobyte can request far more.
inline constexpr std::size_t max_palette_entries = std::size_t{1} << 22;
inline constexpr std::size_t max_morph_weights = std::size_t{1} << 24;
// also the limit for indices and influences
inline constexpr std::size_t max_drawn_vertices = std::size_t{1} << 31;

// Limit in bytes for repeated names, where each texture of all materials repeats its image's name, or each
// channel of a clip its node's, as asset documents do.
inline constexpr std::size_t max_repeated_names = std::size_t{1} << 28;

// Whether meshes may lack normals (flat_meshes.hpp). They may, except where a loader is known to compute
// them.
enum class FlatMeshes : std::uint8_t { forbidden, allowed };

// Errors: out_of_range, malformed or limit_exceeded, `where` as a JSON pointer into the Scene
// ("/meshes/2/indices").
LoadResult<void> validate(const Scene& scene, FlatMeshes flat = FlatMeshes::forbidden);

// Checks that the static pose is within max_coordinate (bounds.hpp). Called for every loaded file after
// validate(). Error: out_of_range.
LoadResult<void> check_extent(const Scene& scene);

} // namespace vitrine::scene
