#pragma once
// The motion of the joints over a clip, sampled once for all facts. Private to loaders/scene/facts.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct SampledMotion {
    double step = 0.0;                 // seconds between two frames; 0: only one
    double size = 0.0;                 // meters, at least 1e-6
    std::vector<std::uint32_t> joints; // nodes
    std::size_t root = 0;              // index into `joints`
    std::vector<glm::vec3> positions;  // by frame and joint
    // By frame and joint without joints below it, two: points beside it that turn with it.
    std::vector<glm::vec3> tips;
    std::vector<double> turns;   // by frame: radians about Y since the first one
    std::vector<glm::vec3> rest; // by joint: the static pose
    double start_rotation = 0.0; // ClipFacts::start_rotation

    std::size_t frames() const { return turns.size(); }
    std::span<const glm::vec3> frame(std::size_t i) const
    {
        return std::span(positions).subspan(i * joints.size(), joints.size());
    }
    std::span<const glm::vec3> tips_of(std::size_t i) const
    {
        const std::size_t count = tips.size() / frames();
        return std::span(tips).subspan(i * count, count);
    }
    glm::vec3 root_at(std::size_t i) const { return frame(i)[root]; }
};

// No joints: the scene has no skeleton, and no frames.
SampledMotion sample_motion(const Scene& scene, std::uint32_t clip);

} // namespace vitrine::scene
