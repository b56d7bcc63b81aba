#include "loaders/scene/geometry/rendering_origin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

// Multiple of the model's size. At this distance a float resolves 1/65536 of the model: a tenth of a pixel of
// a large image.
constexpr double min_distance_ratio = 256.0;
constexpr double weight_sum_tolerance = 1e-5;

struct DoubleAabb {
    glm::dvec3 min{std::numeric_limits<double>::infinity()};
    glm::dvec3 max{-std::numeric_limits<double>::infinity()};

    void add(const Aabb& box, const glm::dmat4& moved_by)
    {
        for (int corner = 0; corner < 8; ++corner) {
            const glm::dvec4 at(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                corner & 4 ? box.max.z : box.min.z, 1.0);
            const glm::dvec3 moved(moved_by * at);
            min = glm::min(min, moved);
            max = glm::max(max, moved);
        }
    }
};

// A box that contains the model in the static pose: the box of each mesh, transformed by all joints that move
// a part of it.
DoubleAabb static_box(const Scene& scene)
{
    Pose pose;
    static_pose(scene, pose);
    std::vector<std::optional<Aabb>> boxes(scene.meshes.size());
    DoubleAabb all;
    for (const auto& instance : find_instances(scene)) {
        const auto& mesh = scene.meshes[instance.mesh];
        auto& box = boxes[instance.mesh];
        if (!box) box = box_of(mesh.positions);
        if (box->empty()) continue;
        if (instance.skin == none || mesh.influences.first.empty()) {
            all.add(*box, pose.model[instance.node]);
            continue;
        }
        const auto& skin = scene.skins[instance.skin];
        for (std::size_t j = 0; j < skin.joints.size(); ++j)
            all.add(*box, glm::dmat4(pose.model[skin.joints[j]]) * glm::dmat4(skin.inverse_bind[j]));
    }
    return all;
}

bool is_far_out(const glm::dvec3& size, const glm::dvec3& center)
{
    const double extent = std::max({size.x, size.y, size.z});
    const double away = std::max({std::abs(center.x), std::abs(center.y), std::abs(center.z)});
    return std::isfinite(center.x + center.y + center.z) && away > min_distance_ratio * extent;
}

// A vertex follows a translation of the origin by the sum of its weights.
bool moves_as_one(const Mesh& mesh)
{
    const auto& influences = mesh.influences;
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v) {
        double sum = influences.first[v] == influences.first[v + 1] ? 1.0 : 0.0;
        for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i)
            sum += double{influences.weights[i]};
        if (!(std::abs(sum - 1.0) < weight_sum_tolerance)) return false;
    }
    return true;
}

} // namespace

glm::dvec3 rendering_origin(const Scene& scene)
{
    const auto box = static_box(scene);
    const auto center = 0.5 * (box.min + box.max);
    if (!is_far_out(box.max - box.min, center)) return glm::dvec3(0.0);
    if (!std::ranges::all_of(scene.meshes, moves_as_one)) return glm::dvec3(0.0);
    return center;
}

OffsetBox static_bounds_from_origin(const Scene& scene)
{
    const auto rest = static_bounds(scene);
    // The rounded box is at most twice as large as the exact one; a model that is near by this measure needs
    // no exact check.
    if (rest.empty() || !is_far_out(0.5 * glm::dvec3(rest.size()), rest.center())) return {.box = rest};
    Pose pose;
    pose.origin = rendering_origin(scene);
    static_pose(scene, pose);
    return {.box = pose_bounds(scene, pose), .origin = pose.origin};
}

OffsetBox to_file_space(const FileSpace& space, const OffsetBox& box)
{
    const glm::dmat3 to_file = glm::transpose(glm::dmat3(space.axes)); // the inverse of a signed permutation
    return {.box = to_file_space(space, box.box), .origin = to_file * box.origin / space.unit_meters};
}

} // namespace vitrine::scene
