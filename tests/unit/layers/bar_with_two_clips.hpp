#pragma once
// A scene whose two clips move different properties, for tests of layers.

#include <utility>

#include "tests/support/scenes.hpp"

namespace vitrine::scene {

// The bar whose clip 0 bends `upper` to 90 degrees about Z within 1 s, with a clip 1 of the same second in
// which `lower` moves from (1, 0, 0) to (3, 0, 0), is scaled from 2 to 4 and `upper` turns from 10 to 50
// degrees about X.
inline Scene bar_with_two_clips()
{
    Scene scene = test::skinned_bar();
    const auto about_x = [](float degrees) {
        return glm::angleAxis(glm::radians(degrees), glm::vec3(1, 0, 0));
    };
    const auto from = about_x(10), to = about_x(50);
    Clip clip{.name = "stretch", .duration = 1.0, .channels = {}};
    clip.channels.push_back(
        {.node = 0, .path = Path::translation, .times = {0, 1}, .values = {1, 0, 0, 3, 0, 0}});
    clip.channels.push_back({.node = 0, .path = Path::scale, .times = {0, 1}, .values = {2, 2, 2, 4, 4, 4}});
    clip.channels.push_back({.node = 1,
                             .path = Path::rotation,
                             .times = {0, 1},
                             .values = {from.x, from.y, from.z, from.w, to.x, to.y, to.z, to.w}});
    scene.clips.push_back(std::move(clip));
    return scene;
}

} // namespace vitrine::scene
