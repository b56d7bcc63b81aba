#pragma once
// A request for an image: scene, view and time.

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// A time in a clip; clip == none: the static pose of the file.
struct ClipTime {
    std::uint32_t clip = scene::none;
    double time = 0.0; // seconds from the clip's start
    // If set, evaluated instead of the clip: several clips and adjusted joints. They fit the scene
    // (scene::layers_fit()).
    scene::SharedLayers layers{};

    bool operator==(const ClipTime&) const = default;
    // Whether both are times of one motion.
    bool has_motion_of(const ClipTime& other) const { return clip == other.clip && layers == other.layers; }
    // Whether the pose depends on no time.
    bool is_static() const { return clip == scene::none && !layers; }
};

// Evaluates the pose at that time, relative to pose.origin. Preconditions: those of scene::sample_pose() and
// LayerSampler::sample().
inline void sample_pose(const scene::Scene& scene, const ClipTime& at, scene::Pose& pose)
{
    if (at.layers)
        scene::sample_layers(scene, *at.layers, at.time, pose);
    else
        scene::sample_pose(scene, at.clip, at.time, pose);
}

// Seconds after which the motion ends; 0 for the static pose.
inline double duration_of(const scene::Scene& scene, const ClipTime& at)
{
    if (at.layers) return scene::duration_of(scene, *at.layers);
    return at.clip == scene::none ? 0.0 : scene.clips[at.clip].duration;
}

using scene::SharedScene;

// One image of several that are rendered together.
struct FrameRequest {
    SharedScene scene;
    View view{};
    ClipTime clip_time{};
};

} // namespace vitrine::render
