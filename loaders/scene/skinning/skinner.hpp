#pragma once
// All that a scene draws, skinned on the processor in one pose after the other.

#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

// What it allocates for the first pose it uses again. The scene outlives it; poses may come from the scene
// that it was decimated from. For one thread.
class Skinner {
public:
    explicit Skinner(const Scene& scene);

    const std::vector<Instance>& instances() const { return instances_; }
    // As of the last pose.
    std::span<const PaletteEntry> palette() const { return palette_; }
    // By instance, in scene space; valid until the next pose.
    std::span<const SkinnedMesh> skin(const Pose& pose);
    // The positions alone, the same to the bit.
    std::span<const SkinnedMesh> skin_positions(const Pose& pose);
    // Positions of all instances, one after the other.
    std::vector<glm::vec3> points_at(const Pose& pose);

private:
    const Scene& scene_;
    std::vector<Instance> instances_;
    std::vector<PaletteEntry> palette_;
    std::vector<SkinnedMesh> meshes_;
};

} // namespace vitrine::scene
