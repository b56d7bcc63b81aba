#pragma once
// Views of what is so long and thin that no picture shows its width. Pure: no device.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/camera/fit_view.hpp"

namespace vitrine::render {

// Where the points make such a rod: sets the view so that it looks along it from one end, the rod running
// away from the viewer, and says so. From the side it would be a line thinner than a pixel, that is nothing.
// Not without perspective, and not of lines, which are drawn with a width.
bool fit_elongated(const scene::Scene& scene, const Points& points, View& view);

} // namespace vitrine::render
