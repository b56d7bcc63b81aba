#pragma once
// Writes the libraries of a COLLADA document: geometries, images, materials and effects, controllers,
// animations. Internal to loaders/export.

#include <string>
#include <vector>

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Writes the geometries. Mesh m has the id "mesh-m", its morph target t the geometry "mesh-m-target-t".
// Triangles and lines use the symbol "mk" for material k.
void write_dae_geometries(const scene::Scene& scene, DaeText& out);

// Writes images, effects and materials. Material m has the id "material-m". Adds a PNG for each image with
// pixels to `files`, named after `stem`.
void write_dae_materials(const scene::Scene& scene, const std::string& stem, DaeText& out,
                         std::vector<NamedFile>& files);

// Writes skins and morphs: one controller per node with such a mesh. A skin's joints are referenced by the
// sid of their nodes, "joint-n".
void write_dae_controllers(const scene::Scene& scene, DaeText& out);

// Returns the id of the controller that morphs the node's mesh; its weights are the source "ID-weights".
std::string dae_morph_id(std::size_t node);

// What the node instantiates: a controller or a geometry. Precondition: it has a mesh.
struct DaeInstance {
    const char* kind = nullptr; // as in <instance_KIND>
    std::string id;
};
DaeInstance dae_instance(const scene::Scene& scene, std::size_t node);

// Writes the clips: <animation>s and <animation_clip>s. Node transforms are written as matrices, morph
// weights individually; cubic keys are sampled.
void write_dae_animations(const scene::Scene& scene, DaeText& out);

} // namespace vitrine::exporting
