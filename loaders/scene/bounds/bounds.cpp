#include "loaders/scene/bounds/bounds.hpp"

#include <cmath>

#include "loaders/scene/bounds/joint_boxes.hpp"

namespace vitrine::scene {

std::vector<bool> used_vertices(const Mesh& mesh)
{
    std::vector<bool> used(mesh.positions.size(), false);
    for (const Primitive& primitive : mesh.primitives) {
        for (std::size_t i = 0; i < primitive.count; ++i)
            used[mesh.indices[primitive.first + i]] = true;
    }
    return used;
}

ExactBounds::ExactBounds(const Scene& scene) : scene_(scene), instances_(find_instances(scene))
{
    used_.resize(scene.meshes.size());
    for (const Instance& instance : instances_) {
        if (used_[instance.mesh].empty()) used_[instance.mesh] = used_vertices(scene.meshes[instance.mesh]);
    }
    palette_.resize(palette_size(instances_));
}

Aabb ExactBounds::at(const Pose& pose)
{
    joint_palette(scene_, instances_, pose, palette_);
    Aabb box;
    glm::vec3 finite_check(0.0f); // NaN after a non-finite position, which Aabb::add would ignore
    for (const Instance& instance : instances_) {
        skin_positions(scene_, instance, pose, palette_, skinned_);
        const std::vector<bool>& used = used_[instance.mesh];
        for (std::size_t v = 0; v < used.size(); ++v) {
            if (!used[v]) continue;
            box.add(skinned_.positions[v]);
            finite_check += skinned_.positions[v] * 0.0f;
        }
    }
    constexpr float infinite = std::numeric_limits<float>::infinity();
    return finite_check == glm::vec3(0.0f) ? box : Aabb{glm::vec3(-infinite), glm::vec3(infinite)};
}

std::size_t ExactBounds::vertices() const
{
    std::size_t sum = 0;
    for (const Instance& instance : instances_)
        sum += scene_.meshes[instance.mesh].positions.size();
    return sum;
}

Aabb pose_bounds(const Scene& scene, const Pose& pose)
{
    return ExactBounds(scene).at(pose);
}

Aabb rest_bounds(const Scene& scene)
{
    Pose pose;
    rest_pose(scene, pose);
    return pose_bounds(scene, pose);
}

Aabb to_file_space(const FileSpace& space, const Aabb& box)
{
    Aabb out;
    if (box.empty()) return out;
    const glm::dmat3 to_file = glm::transpose(glm::dmat3(space.axes)); // the inverse of a signed permutation
    out.add(glm::vec3(to_file * glm::dvec3(box.min) / space.unit_meters));
    out.add(glm::vec3(to_file * glm::dvec3(box.max) / space.unit_meters));
    return out;
}

} // namespace vitrine::scene
