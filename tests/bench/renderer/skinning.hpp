#pragma once

#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {

// Vertices a second: the compute passes alone and through the renderer's door, against a plain loop on the
// CPU and against how fast this machine copies memory; then linear skinning against dual quaternions.
void bench_skinning(const render::Options& options, render::Renderer& renderer);

} // namespace vitrine::bench
