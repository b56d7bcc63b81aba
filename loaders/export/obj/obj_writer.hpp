#pragma once
// Writes a Scene as OBJ + MTL + PNG: the static pose with its materials. (A single baked mesh:
// mesh_files.hpp.)

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.obj, stem.mtl and a PNG for each image. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_obj(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
