#pragma once
// Converts a View and its framed boxes to shader parameters. Pure functions.

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Throws RenderError for a box that cannot be framed (empty or not finite).
void check_framing(const scene::Aabb& framing);

// Sets all members of ImageParams except viewport, center_ray.w and ray_x.w, which BatchRenderer sets.
// `framing` and all drawn positions are relative to `origin`.
shared::ImageParams image_params(const View& view, const Framing& framing,
                                 glm::dvec3 origin = glm::dvec3(0.0));

// Straight sRGB to premultiplied linear.
glm::vec4 to_linear_premultiplied(glm::vec4 color);

} // namespace vitrine::render
