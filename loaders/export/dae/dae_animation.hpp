#pragma once
// Writes the clips of a COLLADA document: <animation>s and <animation_clip>s. Internal to loaders/export.

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Writes both libraries. Node transforms are written as matrices, morph weights individually; cubic keys are
// sampled.
void write_dae_animations(const scene::Scene& scene, DaeText& out);

} // namespace vitrine::exporting
