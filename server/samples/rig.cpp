#include "server/samples/rig.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include <glm/gtc/matrix_transform.hpp>

namespace vitrine::samples {

std::uint16_t Rig::joint(std::string name, std::uint32_t parent, glm::vec3 position)
{
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.local.translation = parent == scene::none ? position : position - positions_[parent];
    nodes_.push_back(std::move(node));
    positions_.push_back(position);
    return static_cast<std::uint16_t>(positions_.size() - 1);
}

std::uint16_t Rig::find(std::string_view name) const
{
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].name == name) return static_cast<std::uint16_t>(i);
    assert(false && "a sample model refers to a joint that it does not have");
    return 0;
}

void Rig::build(scene::Scene& scene, std::string mesh_node) const
{
    scene.nodes = nodes_;
    scene::Skin skin;
    skin.name = mesh_node;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        skin.joints.push_back(i);
        skin.inverse_bind.push_back(glm::translate(glm::mat4(1.0f), -positions_[i]));
    }
    scene.skins.push_back(std::move(skin));
    scene::Node drawn;
    drawn.name = std::move(mesh_node);
    drawn.mesh = 0;
    drawn.skin = 0;
    scene.nodes.push_back(std::move(drawn));
}

Motion::Motion(std::string name, double duration, double frame_rate)
{
    const auto last = static_cast<std::uint32_t>(std::lround(duration * frame_rate));
    assert(std::abs(last - duration * frame_rate) < 1e-3);
    clip_.name = std::move(name);
    clip_.duration = last / frame_rate; // exact: a float such as 1.1f is not 33 / 30
    clip_.frame_rate = frame_rate;
    clip_.frames = last + 1;
    for (std::uint32_t frame = 0; frame <= last; ++frame)
        times_.push_back(static_cast<float>(frame / frame_rate));
}

scene::Channel& Motion::channel(std::uint32_t node, scene::Path path)
{
    clip_.channels.push_back({node, path, scene::Interpolation::linear, times_, {}});
    return clip_.channels.back();
}

void Motion::rotate(std::uint32_t node, const std::function<glm::quat(float)>& rotation)
{
    auto& values = channel(node, scene::Path::rotation).values;
    for (const float t : times_) {
        const auto q = glm::normalize(rotation(t));
        values.insert(values.end(), {q.x, q.y, q.z, q.w});
    }
}

void Motion::translate(std::uint32_t node, const std::function<glm::vec3(float)>& translation)
{
    auto& values = channel(node, scene::Path::translation).values;
    for (const float t : times_) {
        const auto v = translation(t);
        values.insert(values.end(), {v.x, v.y, v.z});
    }
}

void Motion::weigh(std::uint32_t node, const std::function<std::vector<float>(float)>& weights)
{
    auto& values = channel(node, scene::Path::weights).values;
    for (const float t : times_) {
        const auto w = weights(t);
        values.insert(values.end(), w.begin(), w.end());
    }
}

glm::quat euler(float x, float y, float z)
{
    return glm::angleAxis(glm::radians(z), glm::vec3(0, 0, 1)) *
           glm::angleAxis(glm::radians(y), glm::vec3(0, 1, 0)) *
           glm::angleAxis(glm::radians(x), glm::vec3(1, 0, 0));
}

} // namespace vitrine::samples
