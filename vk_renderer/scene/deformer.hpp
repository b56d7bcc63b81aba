#pragma once
// Applies skin.comp's morph targets and vertex frames on the host, for sorting blended surfaces. No device
// access.

#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Whether the mesh has morph targets or vertex frames.
bool deforms(const scene::Mesh& mesh);

class Deformer {
public:
    // Deforms a mesh's vertices. weights: of its morph targets; frames beyond the last are clamped to it.
    void deform(const scene::Mesh& mesh, std::span<const float> weights, const scene::FrameBlend& frame);
    // In bind pose space; valid until the next deform(), which reuses the memory.
    std::span<const glm::vec3> positions() const { return positions_; }

private:
    std::vector<glm::vec3> positions_;
};

} // namespace vitrine::render
