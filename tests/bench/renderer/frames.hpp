#pragma once

#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {

// Frames a second of a skinned clip: by side, number of vertices, light (the reference light's shader is a
// plain one), one at a time and sixteen in a batch, with antialiasing and without; and what the studio light
// leaves of the plain shader's rate.
void bench_frames(const render::Options& options);

// Thumbnails of sixteen small scenes that lie on the device, drawn and encoded.
void bench_thumbnails(render::Renderer& renderer);

} // namespace vitrine::bench
