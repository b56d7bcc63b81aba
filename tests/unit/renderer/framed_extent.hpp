#pragma once
// The extent of a model in an image.

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/camera/camera.hpp"

namespace vitrine::render {

inline const View automatic{.width = 300, .height = 200, .camera = {.automatic = true}};

// A cuboid around the origin with outward faces.
inline scene::Scene cuboid(glm::vec3 size)
{
    auto scene = test::textured_cube();
    for (auto& position : scene.meshes[0].positions)
        position *= size;
    return scene;
}

struct Extent {
    glm::vec2 least{1e9f}, most{-1e9f}; // in the image, -1 .. 1
};

// Of all vertices at several moments.
inline Extent extent_of(const scene::Scene& scene, const View& view, std::uint32_t clip)
{
    const auto params = image_params(view, model_framing(view.framing.value_or(scene::static_bounds(scene))));
    Extent extent;
    for (int step = 0; step <= (clip == scene::none ? 0 : 20); ++step) {
        scene::Pose pose;
        const double time = clip == scene::none ? 0.0 : scene.clips[clip].duration * step / 20.0;
        scene::sample_pose(scene, clip, time, pose);
        for (const auto& position : scene::Skinner(scene).skinned_positions(pose)) {
            const glm::vec4 clip_space =
                params.clip_from_centered * glm::vec4(position - glm::vec3(params.center), 1.0f);
            const glm::vec2 at = glm::vec2(clip_space) / clip_space.w;
            extent.least = glm::min(extent.least, at);
            extent.most = glm::max(extent.most, at);
        }
    }
    return extent;
}

inline void expect_framed(const scene::Scene& scene, const View& view, std::uint32_t clip = scene::none)
{
    const auto extent = extent_of(scene, view, clip);
    const float largest = std::max({extent.most.x, extent.most.y, -extent.least.x, -extent.least.y});
    EXPECT_LT(largest, 0.97f);
    EXPECT_GT(largest, 0.80f) << "as near as possible";
}

} // namespace vitrine::render
