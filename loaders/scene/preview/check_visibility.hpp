#pragma once
// Checks whether a rendered image of the scene can show anything.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

enum class SceneVisibility : std::uint8_t {
    something,
    no_elements, // draws_anything() returns false
    no_area,     // lines and triangles without extent, at every time that was checked
    transparent, // elements with an extent are fully transparent
};

// Checks the static pose, and if that shows nothing, several times of the clips.
SceneVisibility check_visibility(const Scene& scene);

} // namespace vitrine::scene
