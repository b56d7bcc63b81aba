#pragma once

#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {

// Frames per second of a skinned clip: by image size, number of vertices, lighting (the reference lighting
// has a simple shader), one at a time and sixteen per batch, with and without antialiasing; and the ratio of
// the studio lighting's rate to the simple shader's.
void bench_frames(const render::Options& options);

// Thumbnails of sixteen small scenes that are on the device, rendered and encoded.
void bench_thumbnails(render::Renderer& renderer);

} // namespace vitrine::bench
