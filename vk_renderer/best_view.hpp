#pragma once
// The view of a model that a person would choose: Camera::automatic. Pure: no device; some milliseconds.

#include "vk_renderer/renderer.hpp"

namespace vitrine::render {

enum class Reach : std::uint8_t {
    clip,   // everything the clip shows stays in the picture
    moment, // the same, unless the model fills much more of a picture of this moment alone
};

// `view` with a camera that is chosen: from the front and the side by turns, where the silhouette is large
// and little hides behind itself; flat things from where they are flat; as near as the sampled vertices of
// the clip (or the moment) allow. Width, height, field of view and projection are those of `view`. What is
// not automatic stays as it is, and what has no vertices gets the three-quarter view. Deterministic.
View with_best_view(const scene::Scene& scene, const View& view, const Moment& moment,
                    Reach reach = Reach::moment);

} // namespace vitrine::render
