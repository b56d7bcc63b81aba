#pragma once
// The view of a model that a person would choose: Camera::automatic. Pure: no device; some milliseconds.

#include <span>

#include "vk_renderer/base/types.hpp"

namespace vitrine::render {

// `view` with a camera that is chosen for how the model is at `moment`: from the front and the side by turns,
// where the silhouette is large and little hides behind itself; flat things from where they are flat, and
// along what is too thin to be seen from its side. As near as all vertices allow at the moments of
// `sequence`, which are shown with it; without a sequence at `moment`, and of its clip too where that does
// not make the model much smaller. Width, height, field of view and projection are those of `view`. What is
// not automatic stays as it is, and what has no vertices gets the three-quarter view. Deterministic.
View with_best_view(const scene::Scene& scene, const View& view, const Moment& moment,
                    std::span<const Moment> sequence = {});

// The first view of an orbit: as with_best_view() chooses it, but as near as all vertices allow at every yaw.
View with_best_orbit(const scene::Scene& scene, const View& view, const Moment& moment);

} // namespace vitrine::render
