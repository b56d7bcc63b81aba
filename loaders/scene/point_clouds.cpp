#include "loaders/scene/point_clouds.hpp"

namespace vitrine::scene {

PointClouds::PointClouds(const Scene& scene)
    : scene_(scene), instances_(find_instances(scene)), palette_(palette_size(instances_)),
      meshes_(instances_.size())
{
}

const std::vector<SkinnedMesh>& PointClouds::meshes_at(const Pose& pose)
{
    joint_palette(scene_, instances_, pose, palette_);
    for (std::size_t i = 0; i < instances_.size(); ++i)
        skin_positions(scene_, instances_[i], pose, palette_, meshes_[i]);
    return meshes_;
}

std::vector<glm::vec3> PointClouds::points_at(const Pose& pose)
{
    std::vector<glm::vec3> points;
    for (const auto& mesh : meshes_at(pose))
        points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
    return points;
}

} // namespace vitrine::scene
