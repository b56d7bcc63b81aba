#pragma once
// A scene's clips as frames of whole meshes, by the CPU reference: what MD2 and MD3 hold.

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

// All clips one after the other, `rate` frames a second from the start of each; the last frame holds the end
// of a clip that is no whole number of frames. Of a closed loop (scene::is_closed_loop) the end, which is its
// start, is left out. Without clips the static pose.
std::vector<FrameTime> frame_times(const scene::Scene& scene, double rate);

class FrameBaker {
public:
    // The scene outlives it.
    explicit FrameBaker(const scene::Scene& scene);

    const std::vector<scene::Instance>& instances() const { return skinner_.instances(); }
    // By instance, in id's axes (quake_axes.hpp); valid until the next call.
    std::span<const scene::SkinnedMesh> bake(const FrameTime& frame);

private:
    const scene::Scene& scene_;
    glm::mat3 to_file_;
    scene::Skinner skinner_;
    scene::Pose pose_;
    std::vector<scene::SkinnedMesh> meshes_; // turned
};

} // namespace vitrine::exporting
