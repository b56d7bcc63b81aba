#pragma once
// Checks of requests before anything is allocated for them.

#include "vk_renderer/gpu/device.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// Throws RenderError if an image of this size cannot be rendered.
void check_view(const View& view, const Device& device);
// Throws RenderError if the device does not support an overlay of the view, TooLargeForDevice if the scene is
// too large for it.
void check_overlays(const View& view, const Device& device, const GpuScene& scene);
// Throws RenderError if an image cannot show so many instances of the scene, TooLargeForDevice if the device
// cannot. `max_poses`: of the scene in one batch.
void check_instances(const View& view, const GpuScene& scene, std::uint32_t max_poses);

} // namespace vitrine::render
