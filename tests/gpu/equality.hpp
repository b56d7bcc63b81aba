#pragma once
// Compares the device with the CPU reference: skinned vertices and bounds, in the static pose and over every
// clip.

#include <span>

#include "vk_renderer/renderer.hpp"

namespace vitrine::test {

// Tolerances: positions and bounds within 1e-5 of max(extent, distance from the origin), normals within 0.5
// degrees.
void expect_equal_skinning(render::Renderer& renderer, const render::SharedScene& scene,
                           std::size_t times_per_clip = 5, std::size_t clips = 4);
// At these clip times.
void expect_equal_skinning_at(render::Renderer& renderer, const render::SharedScene& scene,
                              std::span<const render::ClipTime> clip_times);

} // namespace vitrine::test
