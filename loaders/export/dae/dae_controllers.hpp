#pragma once
// Writes skins and morphs of a COLLADA document: one controller per node with such a mesh. Internal to
// loaders/export.

#include <string>

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// A skin's joints are referenced by the sid of their nodes, "joint-n".
void write_dae_controllers(const scene::Scene& scene, DaeText& out);

// Returns the id of the controller that morphs the node's mesh; its weights are the source "ID-weights".
std::string dae_morph_id(std::size_t node);

// What the node instantiates: a controller or a geometry. Precondition: it has a mesh.
struct DaeInstance {
    const char* kind = nullptr; // as in <instance_KIND>
    std::string id;
};
DaeInstance dae_instance(const scene::Scene& scene, std::size_t node);

} // namespace vitrine::exporting
