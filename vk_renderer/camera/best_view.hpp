#pragma once
// Chooses the view for Camera::automatic. Pure functions without a device; they take some milliseconds.

#include <span>

#include "vk_renderer/base/options.hpp"

namespace vitrine::render {

// Returns `view` with a camera chosen for the pose at `clip_time`: a view from the front and side with a
// large silhouette and few hidden parts; flat models are viewed along their normal, and models too thin to be
// visible from the side along their axis; models side by side (scene::make_lineup()) are seen from the front.
// The distance is the smallest at which all vertices are visible at the clip times of `sequence`. Without a
// sequence they are visible at `clip_time`, and over its clip if that does not make the model much smaller.
// Of a crowd all is visible. Width, height, field of view and projection are those of `view`. A view that is
// not automatic is returned unchanged; a scene without vertices gets the three-quarter view. Deterministic.
View with_best_view(const scene::Scene& scene, const View& view, const ClipTime& clip_time,
                    std::span<const ClipTime> sequence = {});

// Returns the first view of an orbit: direction as chosen by with_best_view(), distance the smallest at which
// all vertices are visible at every yaw.
View with_best_orbit(const scene::Scene& scene, const View& view, const ClipTime& clip_time);

// Returns the yaw in degrees, -180..180, from which the model's front is seen in the pose at `clip_time`: the
// convention of the file format, unless the feet clearly point elsewhere. Flat models are seen along their
// normal.
float front_yaw(const scene::Scene& scene, const ClipTime& clip_time);

} // namespace vitrine::render
