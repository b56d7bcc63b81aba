#pragma once
// Checks of the parameters of an image against its Scene. Errors: invalid, "where" is the parameter; and
// unprocessable (nothing_to_show).

#include <cstdint>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"
#include "server/util/error.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::server {

// The asset's clip count omits clips without keys. `none`: the static pose.
Result<void> check_clip(const scene::Scene& scene, std::uint32_t clip);
// `layers` may be null. They were made from another state of the asset if they do not fit.
Result<void> check_layers(const scene::Scene& scene, const scene::SharedLayers& layers);
// The joints that overlays name.
Result<void> check_joints(const scene::Scene& scene, const render::Overlays& overlays);
// Whether the device may skin so many instances. `view`: crowd and ghosts.
Result<void> check_instances(const scene::Scene& scene, const render::View& view);
Result<void> check_drawn(const scene::Scene& scene);
// Rejects scenes without visible geometry, for thumbnails. Other images may be empty, for example with a
// skeleton overlay.
Result<void> check_visible(const scene::Scene& scene);

} // namespace vitrine::server
