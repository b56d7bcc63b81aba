#include "tests/support/pose_model.hpp"

namespace vitrine::test {

std::vector<scene::SkinnedMesh> skinned_in(const scene::Scene& scene, const scene::Pose& pose)
{
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin(pose);
    return {meshes.begin(), meshes.end()};
}

std::vector<glm::vec3> drawn_corners(const scene::Scene& scene, const scene::Pose& pose)
{
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin_positions(pose);
    std::vector<glm::vec3> corners;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto& mesh = scene.meshes[skinner.instances()[i].mesh];
        for (const auto& primitive : mesh.primitives)
            for (std::uint32_t c = 0; c < primitive.count; ++c)
                corners.push_back(meshes[i].positions[mesh.indices[primitive.first + c]]);
    }
    return corners;
}

std::vector<glm::vec3> from_the_front(const scene::Scene& scene, std::vector<glm::vec3> points)
{
    const glm::vec3 up(0.0f, 1.0f, 0.0f), front = scene.file_space.front, right = glm::cross(up, front);
    for (auto& point : points)
        point = {glm::dot(point, right), point.y, glm::dot(point, front)};
    return points;
}

} // namespace vitrine::test
