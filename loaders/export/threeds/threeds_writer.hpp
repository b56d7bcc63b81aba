#pragma once
// Writes a Scene as 3D Studio's 3DS with PNGs: meshes, hierarchy, materials and the first clip of nodes.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.3ds and a PNG for each image. Precondition: the scene passed scene::validate(). Limits of the
// format: a mesh with a skin, morph targets or vertex frames is written in its static pose; one clip, with
// keys at 30 frames per second (linear between them); normals become smoothing groups; a mesh of more than
// 65,535 vertices or faces is split; colors are bytes; a textured surface has no color.
std::vector<NamedFile> write_3ds(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
