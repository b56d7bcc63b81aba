#pragma once
// Alternative sets of materials of one scene, of which one is shown at a time (glTF's
// KHR_materials_variants).

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Returns the index of the first variant with exactly this name, otherwise of the variant with this index.
// The error is a sentence that lists some names.
std::expected<std::uint32_t, std::string> find_variant(const Scene& scene, std::string_view requested_name);

// Assigns the materials of the variant to the primitives for which it has one; other primitives keep theirs.
// Removes all variants from the scene. Preconditions: `variant` is an index into scene.variants, and the
// scene has passed validate().
void apply_variant(Scene& scene, std::uint32_t variant);

} // namespace vitrine::scene
