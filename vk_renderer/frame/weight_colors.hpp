#pragma once
// Vertex colors that show what joints weigh. Pure: no device.

#include <string_view>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// For each vertex of a frame, in the order of `packed`. `joint`: as find_joint() has it, or empty for all
// joints; throws RenderError when it names none.
std::vector<shared::VertexAttributes> weight_colors(const scene::Scene& scene, const PackedScene& packed,
                                                    std::string_view joint);

} // namespace vitrine::render
