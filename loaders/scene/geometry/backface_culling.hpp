#pragma once
// Which faces a picture leaves out: one rule for what draws, picks, chooses views and exports. Pure.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether backs are left out: only glTF says that a surface has one side, without a material too. `material`
// may be `none`.
bool culls_back_faces(const Scene& scene, std::uint32_t material);

} // namespace vitrine::scene
