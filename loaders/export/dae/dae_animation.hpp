#pragma once
// Clips of a COLLADA document: <animation>s and the <animation_clip>s that hold them. Internal to
// loaders/export.

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Both libraries. A node's motion as matrices, morph weights one by one, cubic keys sampled.
void write_dae_animations(const scene::Scene& scene, DaeText& out);

} // namespace vitrine::exporting
