#pragma once
// Scene -> FBX 7400: nodes, meshes with materials and embedded pictures (PNG; not in text), skins, morph
// targets, clips. Rotations become Euler curves with keys close enough together to keep slerp's way. Not
// written: vertex frames, Influences::positions, skewing matrices (their nearest translation, rotation and
// scale), occlusion textures.

#include <string>
#include <vector>

#include "loaders/export/fbx/fbx_tree.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.fbx alone. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_fbx(const scene::Scene& scene, const std::string& stem,
                                 FbxContainer container = FbxContainer::binary);

} // namespace vitrine::exporting
