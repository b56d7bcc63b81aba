#pragma once
// Alternative sets of materials of one scene, of which one is shown at a time (glTF's
// KHR_materials_variants). How they are addressed: loaders/scene/lookup.hpp.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Assigns the materials of the variant to the primitives for which it has one; other primitives keep theirs.
// Removes all variants from the scene. Preconditions: `variant` is an index into scene.variants, and the
// scene has passed validate().
void apply_variant(Scene& scene, std::uint32_t variant);

} // namespace vitrine::scene
