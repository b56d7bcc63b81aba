#pragma once
// Clips of whole-mesh frames (MD2, MD3).

#include <cstdint>
#include <span>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// A range of a file's frames that forms a clip.
struct FrameRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0; // at least 1
    double rate = 0.0;       // frames per second
    bool loops = false;      // the last frame leads to the first: the clip lasts one frame longer
};

// Returns the clip without channels. start_time places it on the file's time line, where frame f is at f /
// rate.
scene::Clip make_clip(std::string name, const FrameRange& range);

// Returns a channel with a key per frame that selects one of the mesh's `available` frames for the node; the
// last one is held beyond the end. A loop has one more key, which selects the first frame again.
scene::Channel frame_channel(std::uint32_t node, const FrameRange& range, std::uint32_t available);

// Returns the time of a key in seconds from the clip's start.
inline float key_time(const FrameRange& range, std::uint32_t frame)
{
    return static_cast<float>(frame / range.rate);
}

// Computes smooth normals of every frame, and from frame 0 those of the mesh. `groups`: see
// scene::compute_normals. When triangles times frames exceed a limit above real models, all frames use the
// normals of frame 0.
void compute_frame_normals(scene::Mesh& mesh, std::span<const std::uint32_t> groups);

} // namespace vitrine::quake
