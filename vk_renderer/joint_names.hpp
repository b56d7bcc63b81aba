#pragma once
// The names of joints beside them, drawn into a picture that is finished. Pure: no device.

#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/frame.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

struct NamedPlace {
    std::uint32_t node = 0;
    glm::vec3 place{0.0f}; // as `params` measure
};

// The nearest first; a name that would stand on another is left out. A node without a name, or with one in
// letters that the font has not, shows its number. `params`: of the picture.
void draw_names(const scene::Scene& scene, std::span<const NamedPlace> joints,
                const shared::FrameParams& params, Frame& frame);

} // namespace vitrine::render
