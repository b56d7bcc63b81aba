#pragma once
// What of scene::Layers the renderer shows, and how the shader gets it. Pure.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Drawn with the layered shader: what an unlit surface has beside its color is not seen.
bool is_layered(const scene::Material& material);
// Transmits light from behind: drawn after what is opaque, the farthest first.
bool transmits(const scene::Material& material);
// The share of light that passes on average, for a shadow; without what a volume absorbs. Reads whole images.
float transmitted_fraction(const scene::Scene& scene, const scene::Material& material);

shared::LayerParams layer_params(const scene::Material& material);

} // namespace vitrine::render
