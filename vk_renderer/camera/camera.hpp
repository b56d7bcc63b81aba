#pragma once
// From a View and what is framed to the numbers that the shaders need. Pure.

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Throws RenderError for a box that cannot be framed (empty, not finite).
void check_framing(const scene::Aabb& framing);

// Everything of FrameParams but viewport. `origin`: what `framing`, and all that is drawn, is measured from.
shared::FrameParams frame_params(const View& view, const Framing& framing,
                                 glm::dvec3 origin = glm::dvec3(0.0));
// The same where the camera takes in the model alone.
shared::FrameParams frame_params(const View& view, const scene::Aabb& framing,
                                 glm::dvec3 origin = glm::dvec3(0.0));

// sRGB, straight -> linear, premultiplied.
glm::vec4 to_linear_premultiplied(glm::vec4 color);

} // namespace vitrine::render
