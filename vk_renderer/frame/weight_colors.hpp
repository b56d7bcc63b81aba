#pragma once
// Computes vertex colors that show joint weights. Pure functions.

#include <string_view>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// Returns the attributes of each vertex of a frame in the order of `packed`. `joint`: as for find_joint(), or
// empty for all joints; throws RenderError if it names no joint.
std::vector<shared::VertexAttributes> weight_colors(const scene::Scene& scene, const PackedScene& packed,
                                                    std::string_view joint);

} // namespace vitrine::render
