#pragma once
// Clips of whole-mesh frames (MD2, MD3).

#include <cstdint>
#include <span>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// A run of a file's frames as a clip.
struct FrameRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0; // at least 1
    double rate = 0.0;       // frames a second
    bool loops = false;      // the last frame runs into the first: the clip lasts one frame longer
};

// The clip without channels. start_time places it on the file's time line, where frame f stands at f / rate.
scene::Clip make_clip(std::string name, const FrameRange& range);

// A key for each frame: which of the mesh's `available` frames the node shows. Behind the last one that
// holds. A loop has one key more, which shows the first frame again.
scene::Channel frame_channel(std::uint32_t node, const FrameRange& range, std::uint32_t available);

// Time of a key, seconds from the clip's start.
inline float key_time(const FrameRange& range, std::uint32_t frame)
{
    return static_cast<float>(frame / range.rate);
}

// Smooth normals of every frame and, from frame 0, of the mesh itself. `groups`: see scene::compute_normals.
// Where triangles times frames are more than any model has, those of frame 0 stay in all.
void compute_frame_normals(scene::Mesh& mesh, std::span<const std::uint32_t> groups);

} // namespace vitrine::quake
