#pragma once
// Views of models so long and thin that their width is not visible from the side. Pure functions.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/camera/fit_view.hpp"

namespace vitrine::render {

// If the points form such a rod, sets the view to look along it from one end, with the rod leading away from
// the viewer, and returns true. From the side it would be thinner than a pixel. Returns false for
// orthographic views and for line primitives, which are drawn with a width.
bool fit_elongated(const scene::Scene& scene, const Points& points, View& view);

} // namespace vitrine::render
