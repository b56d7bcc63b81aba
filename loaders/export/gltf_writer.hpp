#pragma once
// Scene -> glTF 2.0. Keeps nodes, meshes (several influence sets where a vertex has more than four), skins,
// morph targets (sparse where they are), clips, materials and images (as PNG). Vertices of a skinned mesh
// that no joint moves follow a joint added for their node, as glTF has no vertex without weights. Not
// written: vertex frames (MD2, MD3), Influences::positions (each vertex has one bind position in glTF).

#include <cstddef>
#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Precondition of both: the scene passed scene::validate().
std::vector<std::byte> write_glb(const scene::Scene& scene);
// stem.gltf, stem.bin and a PNG for each image.
std::vector<NamedFile> write_gltf(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
