#pragma once
// What skin.comp does with vertices before joints move them, on the host: for the order of blended surfaces.
// Pure.

#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Whether a mesh has what moves its vertices against each other before joints do.
bool deforms(const scene::Mesh& mesh);

class Deformer {
public:
    // Puts a mesh's vertices where its morph targets and vertex frames have them. weights: of its targets;
    // frames past the last one are clamped to it.
    void deform(const scene::Mesh& mesh, std::span<const float> weights, const scene::FrameBlend& frame);
    // In the space of the bind pose; valid until the next deform(), whose memory is the same.
    std::span<const glm::vec3> positions() const { return positions_; }

private:
    std::vector<glm::vec3> positions_;
};

} // namespace vitrine::render
