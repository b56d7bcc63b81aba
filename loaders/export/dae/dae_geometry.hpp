#pragma once
// Writes geometries of a COLLADA document. Internal to loaders/export.

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Mesh m has the id "mesh-m", its morph target t the geometry "mesh-m-target-t". Triangles and lines use the
// symbol "mk" for material k.
void write_dae_geometries(const scene::Scene& scene, DaeText& out);

} // namespace vitrine::exporting
