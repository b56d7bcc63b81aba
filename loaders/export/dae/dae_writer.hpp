#pragma once
// Scene -> COLLADA 1.4.1. Keeps nodes, meshes, skins with any number of influences, morph targets (as whole
// shapes), clips (one <animation_clip> each, a node's motion as matrices, cubic keys sampled), colors and
// pictures. Lost: what Lambert and Phong cannot say (metal, occlusion, normal maps), vertex frames,
// Influences::positions, extrapolation.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.dae and a PNG for each image that a material shows. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_dae(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
