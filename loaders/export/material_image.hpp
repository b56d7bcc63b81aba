#pragma once
// Images for formats whose materials are a single image.

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns the material's texture, or 4 x 4 pixels of its color (sRGB by a power function).
scene::Image material_image(const scene::Scene& scene, const scene::Material& material);
// Returns whether material_image() returns the texture.
bool has_texture(const scene::Scene& scene, const scene::Material& material);

} // namespace vitrine::exporting
