#pragma once
// A request for an image: scene, view and time.

#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// A time in a clip; clip == none: the static pose of the file.
struct ClipTime {
    std::uint32_t clip = scene::none;
    double time = 0.0; // seconds from the clip's start

    bool operator==(const ClipTime&) const = default;
};

using scene::SharedScene;

// One image of several that are rendered together.
struct FrameRequest {
    SharedScene scene;
    View view{};
    ClipTime clip_time{};
};

} // namespace vitrine::render
