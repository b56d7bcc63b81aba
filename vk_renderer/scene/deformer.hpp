#pragma once
// What skin.comp does with vertices before joints move them, on the host: for the order of blended surfaces.
// Pure.

#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Whether a mesh has what moves its vertices against each other before joints do.
bool deforms(const scene::Mesh& mesh);

class Deformer {
public:
    // Where morph targets and vertex frames put a mesh's vertices, in the space of the bind pose. weights: of
    // its targets; frame: fractional, clamped. Valid until the next call; its memory is kept.
    std::span<const glm::vec3> positions(const scene::Mesh& mesh, std::span<const float> weights,
                                         float frame);

private:
    std::vector<glm::vec3> positions_;
};

} // namespace vitrine::render
