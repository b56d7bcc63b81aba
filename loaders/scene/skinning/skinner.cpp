#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::scene {

Skinner::Skinner(const Scene& scene)
    : scene_(scene), instances_(find_instances(scene)), palette_(palette_size(instances_)),
      meshes_(instances_.size())
{
}

std::span<const SkinnedMesh> Skinner::skin(const Pose& pose)
{
    joint_palette(scene_, instances_, pose, palette_);
    for (std::size_t i = 0; i < instances_.size(); ++i)
        skin_instance(scene_, instances_[i], pose, palette_, meshes_[i]);
    return meshes_;
}

std::span<const SkinnedMesh> Skinner::skin_positions(const Pose& pose)
{
    joint_palette(scene_, instances_, pose, palette_);
    for (std::size_t i = 0; i < instances_.size(); ++i)
        scene::skin_positions(scene_, instances_[i], pose, palette_, meshes_[i]);
    return meshes_;
}

std::vector<glm::vec3> Skinner::skinned_positions(const Pose& pose)
{
    std::vector<glm::vec3> points;
    for (const auto& mesh : skin_positions(pose))
        points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
    return points;
}

} // namespace vitrine::scene
