#pragma once
// Whether a picture of a scene can show anything at all.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

enum class SceneVisibility : std::uint8_t {
    something,
    no_elements, // as draws_anything() says
    no_area,     // lines and triangles without extent, in every moment that was looked at
    transparent, // what has extent lets all light through
};

// Looks at the static pose, and where that shows nothing at a few moments of the clips.
SceneVisibility check_visibility(const Scene& scene);

} // namespace vitrine::scene
