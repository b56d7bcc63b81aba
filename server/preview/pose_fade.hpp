#pragma once
// The pose that a viewer leaves for another motion, while it is blended into that.

#include <functional>
#include <optional>

#include "loaders/scene/layers/bake_motion.hpp"
#include "server/preview/client_messages.hpp"
#include "server/preview/playback_clock.hpp"
#include "vk_renderer/base/frame_request.hpp"

namespace vitrine::server {

// Holds the pose of the scene that is shown now; nothing if it does not fit it.
using HoldPose = std::function<std::optional<scene::HeldPose>(const render::ClipTime& shown)>;

// From the pose that was shown when the viewer asked for another motion.
struct PoseFade {
    double seconds = 0.0;
    FadeCurve curve = FadeCurve::smooth;
    render::ClipTime from;
    PlaybackClock clock; // of the former motion, which goes on if it is a clip
    PreviewTime left{};
    std::optional<PreviewTime> start{}; // of the first frame: empty while its scene is loaded
    scene::HeldPose held{};             // from the start on
    // The framed boxes before and after the fade; between them the image is framed by a mix. `to` is measured
    // with the first frame.
    std::optional<scene::Aabb> from_box{}, to_box{};
};

} // namespace vitrine::server
