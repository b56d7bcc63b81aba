#pragma once
// The gate between loaded data and everything that trusts it: after validate() accepted a Scene, every index
// is in range, every count agrees, every number is finite, parents stand before their children. Renderer,
// pose and export rely on it and check nothing again.

#include "loaders/scene/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Errors: out_of_range or malformed, `where` as a JSON pointer into the Scene ("/meshes/2/indices").
LoadResult<void> validate(const Scene& scene);

} // namespace vitrine::scene
