#pragma once
// One mesh of a glTF document: attributes, influence sets, morph targets, primitives.

#include <cstdint>
#include <string>

#include "loaders/export/gltf_buffer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// JSON object of the mesh. `follow` is the joint of the vertices that have no influences; skinned: whether a
// node draws it with a skin (else its weights are left out).
std::string write_gltf_mesh(const scene::Mesh& mesh, bool skinned, std::uint16_t follow, GltfBuffer& buffer);

// Whether some vertex of a mesh with influences has none.
bool has_loose_vertices(const scene::Mesh& mesh);

} // namespace vitrine::exporting
