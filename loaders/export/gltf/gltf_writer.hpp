#pragma once
// Writes a Scene as glTF 2.0: nodes, meshes (several influence sets for vertices with more than four), skins,
// morph targets (sparse where smaller), clips, materials and images (as PNG). Represented by other features
// of glTF:
// vertices of a skinned mesh without influences   an additional joint for the node that draws them
// weights with positions of their own (MD5)       additional corner joints (gltf_joints.hpp)
// a matrix with shear                             two nodes, exactly
// helper nodes of a loader (scene::is_helper)     nodes without a name
// vertex frames (MD2, MD3)                        morph targets
// keys outside a clip, extrapolation              sampled within the clip
// Other features cause a warning: dual quaternion skinning is linear in readers that do not support
// `extras.skinningMethod` and the attribute `_DUAL_QUATERNION_WEIGHT` (loaders/gltf does), negative weights
// are dropped and sums other than 1 normalized, invisible nodes have no mesh. The warnings are also stored in
// the file, as `extras.warnings` of its root: code, message, where.

#include <cstddef>
#include <string>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Precondition of both: the scene passed scene::validate(). Error: limit_exceeded when a GLB exceeds 4 GB,
// the JSON exceeds JsonWriter's limit, or sampled curves exceed the usual SampleBudget.
LoadResult<std::vector<std::byte>> write_glb(const scene::Scene& scene,
                                             std::vector<scene::Warning>* warnings = nullptr);
// A character or a motion of VRM: a GLB with the nodes' roles (Node::human_bone) and, except for motions,
// what Scene::vrm declares; what moves the eyes, springs, constraints and material changes of expressions are
// not written. Characters face +Z in the scene; those of VRM 0.x are turned to -Z.
LoadResult<std::vector<std::byte>> write_vrm(const scene::Scene& scene, scene::VrmKind kind);
// Returns stem.gltf, stem.bin and a PNG for each image. For generated scenes, which are far below these
// limits.
std::vector<NamedFile> write_gltf(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
