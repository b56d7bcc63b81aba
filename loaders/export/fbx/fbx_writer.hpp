#pragma once
// Writes a Scene as FBX 7400: nodes, meshes with materials and embedded images (PNG; not in text files),
// skins, morph targets, clips. Rotations become Euler curves with keys dense enough to follow slerp. Not
// written: vertex frames, Influences::positions, matrices with shear (the nearest translation, rotation and
// scale is written), occlusion textures.

#include <string>
#include <vector>

#include "loaders/export/fbx/fbx_tree.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.fbx. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_fbx(const scene::Scene& scene, const std::string& stem,
                                 FbxContainer container = FbxContainer::binary);

} // namespace vitrine::exporting
