#pragma once
// The parts of scene::MaterialExtensions that the renderer supports, and their shader parameters. Pure
// functions.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Whether the shader of extensions is used: an unlit surface shows only its color.
bool has_extensions(const scene::Material& material);
// Whether the material transmits light from behind; drawn after opaque items, farthest first.
bool transmits(const scene::Material& material);
// Returns the average transmitted fraction of light, for shadows; without volume absorption. Reads whole
// images.
float transmitted_fraction(const scene::Scene& scene, const scene::Material& material);

shared::MaterialExtensionParams material_extension_params(const scene::Material& material);

} // namespace vitrine::render
