#pragma once
// KHR_texture_transform for shaders and packers. Pure functions.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// offset + R(rotation) * (scale * uv), counter-clockwise with V pointing down.
shared::UvTransform uv_transform(const scene::Texture& texture);

glm::vec2 transformed(const shared::UvTransform& transform, glm::vec2 uv);

} // namespace vitrine::render
