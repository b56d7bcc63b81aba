#pragma once
// Alternative sets of materials of one scene, of which one is shown at a time (glTF's
// KHR_materials_variants).

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The first variant with exactly this name, otherwise the one with this index. The error is a sentence that
// lists some names.
std::expected<std::uint32_t, std::string> find_variant(const Scene& scene, std::string_view wanted);

// Gives every primitive the material that the variant has for it; the others keep theirs. The scene has no
// variants afterwards: what is left is one set of materials. Precondition: `variant` is an index into
// scene.variants, and the scene has passed validate().
void apply_variant(Scene& scene, std::uint32_t variant);

} // namespace vitrine::scene
