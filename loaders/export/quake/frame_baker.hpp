#pragma once
// Bakes a scene's clips to frames of whole meshes with the CPU reference, for MD2 and MD3.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::exporting {

struct FrameTime {
    std::uint32_t clip = scene::none; // none: the static pose
    std::uint32_t number = 0;         // in its clip, from 0
    double time = 0.0;
};

// Returns the frames of all clips in order, at `rate` frames per second from the start of each; the last
// frame holds the end of a clip whose duration is not a whole number of frames. The end of a closed loop
// (scene::is_closed_loop), which equals its start, is left out. Without clips: the static pose.
std::vector<FrameTime> frame_times(const scene::Scene& scene, double rate);

class FrameBaker {
public:
    // The scene must outlive it.
    explicit FrameBaker(const scene::Scene& scene);

    const std::vector<scene::Instance>& instances() const { return skinner_.instances(); }
    // By instance, in id's axes (quake_axes.hpp); valid until the next call.
    std::span<const scene::SkinnedMesh> bake(const FrameTime& frame);

private:
    const scene::Scene& scene_;
    glm::mat3 to_file_;
    scene::Skinner skinner_;
    scene::Pose pose_;
    std::vector<scene::SkinnedMesh> meshes_; // in id's axes
};

} // namespace vitrine::exporting
