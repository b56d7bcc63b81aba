#pragma once
// Writes a Scene as COLLADA 1.4.1: nodes, meshes, skins with any number of influences, morph targets (as
// complete shapes), clips (one <animation_clip> each, node transforms as matrices, cubic keys sampled),
// colors and images. Not preserved: material properties that Lambert and Phong lack (metalness, occlusion,
// normal maps), vertex frames, Influences::positions, extrapolation.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.dae and a PNG for each image that a material uses. Precondition: the scene passed
// scene::validate().
std::vector<NamedFile> write_dae(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
