#pragma once
// Skeletons and clips of the sample models. A joint has a position and no rotation in the bind pose, so that
// motions are given in the model's axes.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

class Rig {
public:
    // Adds a joint at a position in model space. Returns its index, which is also its node's. Parents come
    // first.
    std::uint16_t joint(std::string name, std::uint32_t parent, glm::vec3 position);
    std::uint16_t find(std::string_view name) const;
    glm::vec3 position(std::uint16_t joint) const { return positions_[joint]; }
    std::size_t size() const { return positions_.size(); }

    // Writes nodes and one skin into an empty scene, then a node that draws mesh 0 with it.
    void build(scene::Scene& scene, std::string mesh_node) const;

private:
    std::vector<scene::Node> nodes_;
    std::vector<glm::vec3> positions_;
};

// Builds a clip by sampling motions at evenly spaced key times, including both ends.
class Motion {
public:
    // `duration`, in seconds, must be a whole number of frames.
    Motion(std::string name, double duration, double frame_rate);
    void rotate(std::uint32_t node, const std::function<glm::quat(float t)>& rotation);
    void translate(std::uint32_t node, const std::function<glm::vec3(float t)>& translation);
    void weigh(std::uint32_t node, const std::function<std::vector<float>(float t)>& weights);
    scene::Clip finish() { return std::move(clip_); }

private:
    scene::Channel& channel(std::uint32_t node, scene::Path path);

    scene::Clip clip_;
    std::vector<float> times_;
};

// Rotation about x, then y, then z, in degrees.
glm::quat euler(float x, float y, float z);

} // namespace vitrine::samples
