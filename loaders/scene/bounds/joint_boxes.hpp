#pragma once
// What the box computations share. Private to loaders/scene.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

// By vertex: does any primitive use it?
std::vector<bool> used_vertices(const Mesh& mesh);

// The box of an affine image of a box, a little wider than exact: by a share of the largest term that enters
// a sum, so that single precision blending (here and on a GPU) cannot step outside.
Aabb transform_box(const PaletteEntry& entry, const Aabb& box);

// Exact boxes of a scene, pose after pose, without allocating after the first.
class ExactBounds {
public:
    explicit ExactBounds(const Scene& scene);
    Aabb at(const Pose& pose);
    std::size_t vertices() const; // evaluated for each pose

private:
    const Scene& scene_;
    std::vector<Instance> instances_;
    std::vector<std::vector<bool>> used_; // by mesh; empty where nothing draws it
    std::vector<PaletteEntry> palette_;
    SkinnedMesh skinned_;
};

} // namespace vitrine::scene
