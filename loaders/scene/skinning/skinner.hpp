#pragma once
// Skins everything that a scene draws on the CPU, for successive poses.

#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

// Reuses its allocations after the first pose. The scene must outlive it; poses may be sampled from the scene
// that it was decimated from. Not thread-safe.
class Skinner {
public:
    explicit Skinner(const Scene& scene);

    const std::vector<Instance>& instances() const { return instances_; }
    // Of the last pose.
    std::span<const PaletteEntry> palette() const { return palette_; }
    // By instance, in scene space; valid until the next pose.
    std::span<const SkinnedMesh> skin(const Pose& pose);
    // Computes positions only, bit-identical to skin().
    std::span<const SkinnedMesh> skin_positions(const Pose& pose);
    // Positions of all instances, concatenated.
    std::vector<glm::vec3> skinned_positions(const Pose& pose);

private:
    const Scene& scene_;
    std::vector<Instance> instances_;
    std::vector<PaletteEntry> palette_;
    std::vector<SkinnedMesh> meshes_;
};

} // namespace vitrine::scene
