#pragma once
// A rig whose joints move along their bones, for writers of motion.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test {

inline scene::Scene sliding_arm_rig()
{
    scene::Scene scene;
    scene::Skin skin{.name = "arm", .joints = {}, .inverse_bind = {}};
    const auto joint = [&](std::string name, std::uint32_t parent, glm::vec3 translation) {
        scene::Node node;
        node.name = std::move(name);
        node.parent = parent;
        node.local.translation = translation;
        skin.joints.push_back(static_cast<std::uint32_t>(scene.nodes.size()));
        scene.nodes.push_back(std::move(node));
    };
    joint("base", scene::none, {0.3f, 0.4f, -0.2f});
    joint("mast", 0, {0.0f, 0.6f, 0.0f});
    joint("slider", 1, {0.0f, 0.5f, 0.1f});
    joint("hook", 2, {0.4f, 0.1f, 0.0f});
    joint("tip", 3, {0.0f, -0.2f, 0.0f});
    scene.nodes[1].local.rotation = glm::angleAxis(0.4f, glm::vec3(0, 0, 1));
    scene.nodes[3].local.rotation = glm::angleAxis(-0.7f, glm::normalize(glm::vec3(1, 1, 0)));
    scene::Pose rest;
    scene::static_pose(scene, rest);
    for (const auto node : skin.joints)
        skin.inverse_bind.push_back(glm::inverse(rest.model[node]));
    scene.skins.push_back(std::move(skin));
    return scene;
}

// 1.6 m high, with one clip of 11 frames in which the base walks and turns; the mast keeps a place other than
// that of the static pose; the slider comes closer to the mast than halfway; the hook stays near its place,
// and swings.
inline scene::Scene sliding_arm()
{
    constexpr int frames = 11;
    constexpr float frame_rate = 10.0f;
    auto scene = sliding_arm_rig();
    scene::Clip clip{.name = "slide",
                     .duration = (frames - 1) / frame_rate,
                     .frame_rate = frame_rate,
                     .frames = frames,
                     .channels = {}};
    const auto animate = [&](std::uint32_t node, scene::Path path, const auto& value_at) {
        std::vector<float> times, values;
        for (int f = 0; f < frames; ++f) {
            const float t = static_cast<float>(f) / frame_rate;
            times.push_back(t);
            const auto value = value_at(t);
            for (glm::length_t i = 0; i < value.length(); ++i)
                values.push_back(value[i]);
        }
        clip.channels.push_back(
            {.node = node, .path = path, .times = std::move(times), .values = std::move(values)});
    };
    using scene::Path;
    animate(0, Path::translation, [](float t) { return glm::vec3(0.3f + t, 0.4f, -0.2f + 0.5f * t); });
    animate(0, Path::rotation, [](float t) { return glm::angleAxis(t, glm::vec3(0, 1, 0)); });
    animate(1, Path::translation, [](float) { return glm::vec3(0.05f, 0.7f, 0.0f); });
    animate(2, Path::translation, [](float t) { return glm::vec3(0.0f, 0.2f - 0.15f * t, 0.0f); });
    animate(3, Path::translation, [](float t) { return glm::vec3(0.4f, 0.1f * std::cos(3.0f * t), 0.0f); });
    animate(3, Path::rotation, [](float t) { return glm::angleAxis(2.0f * t - 0.7f, glm::vec3(1, 0, 0)); });
    scene.clips.push_back(std::move(clip));
    return scene;
}

} // namespace vitrine::test
