#pragma once
// Decides which faces are culled; one rule for rendering, picking, view selection and export. Pure function.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether back faces of `material` (or `none`) are culled. Only glTF declares single-sided surfaces; there
// this includes primitives without a material.
bool culls_back_faces(const Scene& scene, std::uint32_t material);

} // namespace vitrine::scene
