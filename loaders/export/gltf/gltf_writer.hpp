#pragma once
// Scene -> glTF 2.0. Keeps nodes, meshes (several influence sets where a vertex has more than four), skins,
// morph targets (sparse where they are), clips, materials and images (as PNG), by the means that glTF has:
//   vertices of a skinned mesh without influences   a joint added for the node that draws them
//   weights with positions of their own (MD5)       joints added as corners (gltf_joints.hpp)
//   a skewed matrix                                 two nodes, exactly
//   vertex frames (MD2, MD3)                        morph targets
//   keys outside a clip, extrapolation              sampled within the clip
// What it has no means for becomes a warning: dual quaternions are skinned linearly by readers that do not
// know `extras.skinningMethod` and the attribute `_DUAL_QUATERNION_WEIGHT` (loaders/gltf does), weights below
// 0 are left out and sums other than 1 made 1, invisible nodes stay without their mesh. The warnings stand in
// the file too, as `extras.warnings` of its root: code, message, where.

#include <cstddef>
#include <string>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Precondition of both: the scene passed scene::validate(). Error: limit_exceeded over the 4 GB of a GLB,
// JsonWriter::longest of its JSON, or SampleBudget::usual where curves have to be sampled.
LoadResult<std::vector<std::byte>> write_glb(const scene::Scene& scene,
                                             std::vector<scene::Warning>* warnings = nullptr);
// stem.gltf, stem.bin and a PNG for each image. For scenes of our own, which are far from these limits.
std::vector<NamedFile> write_gltf(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
