#pragma once
// Pictures for formats whose materials are nothing but a picture.

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// The material's texture, or 4 x 4 pixels of its color (sRGB by the usual power).
scene::Image picture_of(const scene::Scene& scene, const scene::Material& material);
// Whether that is its texture.
bool has_texture(const scene::Scene& scene, const scene::Material& material);

} // namespace vitrine::exporting
