#pragma once
// Integrals over the visible triangles of a scene in its static pose. Private to loaders/scene/similarity.

#include <array>
#include <cmath>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/geometry/triangles.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

using TriangleCorners = std::array<glm::dvec3, 3>;

inline double area_of(const TriangleCorners& t)
{
    return 0.5 * glm::length(glm::cross(t[1] - t[0], t[2] - t[0]));
}

// The triangles of the static pose, relative to an origin near them. Each pass skins again instead of holding
// all corners.
class StaticTriangles {
public:
    explicit StaticTriangles(const Scene& scene) : scene_(scene), instances_(find_instances(scene))
    {
        pose_.origin = rendering_origin(scene);
        static_pose(scene, pose_);
        palette_.resize(palette_size(instances_));
        joint_palette(scene, instances_, pose_, palette_);
    }

    // Calls visit(corners) for each.
    template <class Visit>
    void visit(const Visit& visit)
    {
        for (const Instance& instance : instances_) {
            skin_positions(scene_, instance, pose_, palette_, skinned_);
            const auto& at = skinned_.positions;
            for_each_triangle(scene_.meshes[instance.mesh], [&](const Triangle& t) {
                visit(TriangleCorners{glm::dvec3(at[t[0]]), glm::dvec3(at[t[1]]), glm::dvec3(at[t[2]])});
            });
        }
    }

private:
    const Scene& scene_;
    std::vector<Instance> instances_;
    Pose pose_;
    std::vector<PaletteEntry> palette_;
    SkinnedMesh skinned_;
};

// Central moments, weighted by area.
struct SurfaceMoments {
    std::size_t triangles = 0; // with an area
    double area = 0.0;
    glm::dvec3 centroid{0.0};
    glm::dmat3 second{0.0};         // mean x x^T
    std::array<double, 10> third{}; // means of xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz
    double fourth = 0.0;            // mean r^4
    double volume = 0.0;            // of the cones from the centroid
    std::size_t directions = 0;     // that differ by about a degree, at most max_counted_directions
};

// Area 0: nothing to measure.
SurfaceMoments measure_surface(StaticTriangles& triangles);

// `count` points, spread evenly over the area, relative to the centroid.
std::vector<glm::dvec3> spread_points(StaticTriangles& triangles, const SurfaceMoments& moments,
                                      std::size_t count);

} // namespace vitrine::scene
