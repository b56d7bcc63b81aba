#pragma once
// Where the vertices of a (thinned) scene are in a pose. Pure.

#include <span>
#include <vector>

#include "loaders/scene/pose.hpp"
#include "loaders/scene/skinning.hpp"

namespace vitrine::scene {

// Uses its memory again. `scene` stays while it is used; poses may come from the scene that it was thinned
// from.
class PointClouds {
public:
    explicit PointClouds(const Scene& scene);

    const std::vector<Instance>& instances() const { return instances_; }
    // As of the last pose.
    std::span<const PaletteEntry> palette() const { return palette_; }
    // One for each instance.
    const std::vector<SkinnedMesh>& meshes_at(const Pose& pose);
    // Of all instances, one after the other.
    std::vector<glm::vec3> points_at(const Pose& pose);

private:
    const Scene& scene_;
    std::vector<Instance> instances_;
    std::vector<PaletteEntry> palette_;
    std::vector<SkinnedMesh> meshes_;
};

} // namespace vitrine::scene
