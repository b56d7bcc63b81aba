#pragma once
// Scene -> 3D Studio's 3DS with its PNGs: meshes, hierarchy, materials and the first clip of nodes.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.3ds and a PNG for each image. Precondition: the scene passed scene::validate(). What the format cannot
// say: a mesh with a skin, morph targets or vertex frames stands still in its rest pose; one clip, as keys at
// 30 frames a second (straight between them); normals become smoothing groups; a mesh of more than 65,535
// vertices or faces becomes several; colors are bytes, a textured surface has no color besides.
std::vector<NamedFile> write_3ds(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
