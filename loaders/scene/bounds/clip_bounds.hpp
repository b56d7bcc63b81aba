#pragma once
// Exact and conservative boxes of a whole clip on the CPU. Exact: equal to the union of pose_bounds() over
// the times, but only vertices that can extend that union are skinned: a vertex is a convex combination of
// the positions that its joints give it, so a group of vertices whose boxes, transformed by their joints, lie
// inside the box so far cannot change it.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

struct ClipBox {
    Aabb exact;
    Aabb conservative; // contains `exact`; union of conservative_bounds()
};

// Allocates in the constructor and for the first pose. One thread at a time. The scene must outlive it.
class ClipBounds {
public:
    // Computes relative to `origin`, where far from the scene's origin floats are finer; the boxes are not.
    explicit ClipBounds(const Scene& scene, glm::dvec3 origin = glm::dvec3(0.0));
    // Precondition: clip < scene.clips.size(), or none.
    ClipBox over(std::uint32_t clip, std::span<const double> times);

    // Number of vertices skinned so far, the cost of over().
    std::uint64_t skinned_vertices() const { return skinned_vertices_; }

private:
    // Consecutive vertices of an instance, with the box of those that each joint moves.
    struct Cluster {
        std::uint32_t first_vertex = 0, end_vertex = 0;
        std::uint32_t first_box = 0, end_box = 0;
        bool always_skinned = false; // has vertices outside the hull of their joints (JointBoxes::Remainder)
    };
    struct ClusterBox {
        std::uint32_t entry = 0; // of the palette
        Aabb box;                // bind space
    };
    struct InstanceClusters {
        std::uint32_t first = 0, end = 0;
    };

    void add_clusters(std::size_t instance);
    void add_boxes(const Instance& instance, Cluster& cluster, std::span<Aabb> boxes);
    void add_pose(const Pose& pose, ClipBox& box);
    void add_instance(std::size_t index, const Pose& pose, ClipBox& box);
    bool is_outside(const Cluster& cluster, std::size_t instance, const Aabb& box) const;
    Aabb scaled(const Aabb& box, std::size_t instance) const;

    const Scene& scene_;
    JointBoxes boxes_;
    std::vector<InstanceClusters> instances_; // by instance
    std::vector<Cluster> clusters_;
    std::vector<ClusterBox> cluster_boxes_;
    glm::dvec3 origin_;
    std::vector<PaletteEntry> palette_;
    std::vector<char> entry_outside_; // by palette entry: its box is not inside the exact box so far
    SkinnedMesh scratch_;
    std::vector<glm::vec3> positions_;
    std::uint64_t skinned_vertices_ = 0;
};

} // namespace vitrine::scene
