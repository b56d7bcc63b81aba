#pragma once

#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {

// Frames per second of a skinned clip: by image size, number of vertices, lighting (the reference lighting
// has a simple shader), one at a time and sixteen per batch, with and without antialiasing; and the ratio of
// the studio lighting's rate to the simple shader's.
void bench_frames(const render::Options& options);

// Crowds of a character of 2,000 vertices: time and memory of a frame by number of instances, and how many
// move at 30 frames per second.
void bench_crowd(const render::Options& options);

// Thumbnails of sixteen small scenes that are on the device, rendered and encoded.
void bench_thumbnails(render::Renderer& renderer);

} // namespace vitrine::bench
