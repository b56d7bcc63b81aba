#pragma once
// Models whose frames differ in one vertex.

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/unit/md2/samples.hpp"

namespace vitrine::test {

// The positions of a mesh at a time of a clip.
inline std::vector<glm::vec3> positions_at(const scene::Scene& scene, std::uint32_t clip, double time,
                                           std::size_t instance = 0)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return scene::Skinner(scene).skin(pose)[instance].positions;
}

// Vertex 0 of each frame lies at (x, 0, 0), all others stay.
inline Md2Model moving(const std::string& name, std::initializer_list<std::uint8_t> xs)
{
    Md2Model model;
    const Md2Frame first = model.frames[0];
    model.frames.clear();
    for (const std::uint8_t x : xs) {
        model.frames.push_back(first);
        model.frames.back().name = name + std::to_string(model.frames.size());
        model.frames.back().vertices[0][0] = x;
    }
    return model;
}

} // namespace vitrine::test
