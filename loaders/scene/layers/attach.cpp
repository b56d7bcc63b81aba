#include "loaders/scene/layers/attach.hpp"

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/layers/append_scene.hpp"
#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

// Lengths of the axes of the node's space in the static pose, in meters.
glm::vec3 units_of(const Scene& scene, std::uint32_t node)
{
    Pose pose;
    static_pose(scene, pose);
    glm::vec3 lengths;
    for (int i = 0; i < 3; ++i) {
        lengths[i] = glm::length(glm::vec3(pose.model[node][i]));
        if (!(lengths[i] > 1e-12f)) lengths[i] = 1.0f;
    }
    return lengths;
}

} // namespace

std::string place_key(const AttachText& text)
{
    return text.joint + ":" + triple_text(text.offset) + "," + triple_text(text.degrees);
}

std::expected<void, std::string> attach(Scene& scene, const Scene& other, const AttachText& place,
                                        std::string name)
{
    const auto joint = find_joint(scene, place.joint);
    if (!joint) return std::unexpected("there is no joint '" + place.joint + "'");
    const glm::vec3 units = units_of(scene, *joint);
    const auto holder = static_cast<std::uint32_t>(scene.nodes.size());
    scene.nodes.push_back({.name = std::move(name),
                           .parent = *joint,
                           .local = {.translation = glm::vec3(place.offset) / units,
                                     .rotation = rotation_of_degrees(place.degrees),
                                     .scale = 1.0f / units}});
    append_scene(scene, other, holder);
    return {};
}

} // namespace vitrine::scene
