#pragma once

#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {

// Vertices per second: the compute passes alone and through the renderer's interface, compared with a plain
// CPU loop and with the machine's memory copy rate; then linear skinning compared with dual quaternions, and
// 31 to 70,000 joints.
void bench_skinning(const render::Options& options, render::Renderer& renderer);

} // namespace vitrine::bench
