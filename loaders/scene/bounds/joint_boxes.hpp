#pragma once
// Helpers shared by the bounds computations. Private to loaders/scene.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

// The vertices first .. end - 1.
struct VertexRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    bool operator==(const VertexRange&) const = default;
};
// The vertices that any primitive uses, in ascending order; a vertex lies between two ranges.
std::vector<VertexRange> used_vertices(const Mesh& mesh);

// The box of a box under an affine transform, enlarged by a fraction of the largest summand so that
// single-precision blending (on the CPU and the GPU) stays inside it.
Aabb transform_box(const PaletteEntry& entry, const Aabb& box);

// The values that the weight of a morph target can have.
struct WeightRange {
    float low = 0.0f;
    float high = 0.0f;

    void add(float w)
    {
        low = std::min(low, w);
        high = std::max(high, w);
    }
};

// By node, in the layout of Pose::morph_weights: the range of each weight over the static pose and all clips.
// Always includes weight 0, so that the undeformed mesh is covered.
std::vector<WeightRange> weight_ranges(const Scene& scene, const Pose& rest);

// Computes exact bounds of a scene for successive poses; allocates only for the first.
class ExactBounds {
public:
    explicit ExactBounds(const Scene& scene);
    Aabb at(const Pose& pose);

private:
    // Returns whether all positions are finite.
    bool add(const PositionSkinner& skinner, const VertexRange& range, Aabb& box);

    const Scene& scene_;
    std::vector<Instance> instances_;
    std::vector<std::vector<VertexRange>> used_; // by mesh; empty if no instance draws it
    std::vector<PaletteEntry> palette_;
    SkinnedMesh scratch_;
    std::array<glm::vec3, 1024> positions_; // of a part of one instance
};

} // namespace vitrine::scene
