#pragma once
// Procedural textures of the sample models.

#include <cstdint>
#include <functional>
#include <string>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

// sRGB from byte values: rgb(0xd8, 0x5a, 0x2b); each component 0..1.
constexpr glm::vec3 rgb(int red, int green, int blue)
{
    return glm::vec3(static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue)) / 255.0f;
}
// Converts to linear, for Material::base_color.
glm::vec4 linear(glm::vec3 srgb);

// Smooth value noise in 0..1, deterministic on all machines; fbm adds octaves of it.
float noise(glm::vec2 at);
float fbm(glm::vec2 at, int octaves);
// As fbm, periodic in x with `period` (a whole number), for textures that wrap around a body.
float fbm_around(glm::vec2 at, int octaves, int period);

// Evaluates color(uv) at each pixel center; sRGB, opaque.
scene::Image painted(std::string name, std::uint32_t width, std::uint32_t height,
                     const std::function<glm::vec3(glm::vec2)>& color);

} // namespace vitrine::samples
