#pragma once
// From a View and what is framed to the numbers that the shaders need. Pure.

#include "loaders/scene/bounds.hpp"
#include "vk_renderer/shaders/shared.h"
#include "vk_renderer/view.hpp"

namespace vitrine::render {

// Throws RenderError for a box that cannot be framed (empty, not finite).
void check_framing(const scene::Aabb& framing);

// Everything of FrameParams but viewport. `ground_height`: scene space, ignored without a ground.
shared::FrameParams frame_params(const View& view, const scene::Aabb& framing);

// sRGB, straight -> linear, premultiplied.
glm::vec4 to_linear_premultiplied(glm::vec4 colour);

} // namespace vitrine::render
