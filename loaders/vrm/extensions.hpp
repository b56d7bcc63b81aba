#pragma once
// The parts of the extensions, each read into the scene. They never reject a file, except for its limits:
// faults cause warnings. Nodes have the indices of the file.

#include "loaders/gltf/document/document.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/vrm_facts.hpp"

namespace vitrine::vrm {

using scene::VrmKind;

struct VrmExtension {
    VrmKind kind = VrmKind::version_1;
    io::JsonValue object;
    gltf::Document& document;

    io::WarningLog& warnings() const { return document.warnings(); }
    std::uint32_t node_count() const { return document.list("nodes").size(); }
};

// The roles of nodes.
void read_humanoid(const VrmExtension& extension, scene::Scene& scene);

// Meta, first person, what moves the eyes, numbers of springs and constraints.
void read_facts(const VrmExtension& extension, const scene::Scene& scene, scene::VrmFacts& facts);

// Error: limit_exceeded, when they use more nodes than Limits::keys.
LoadResult<void> read_expressions(const VrmExtension& extension, const scene::Scene& scene,
                                  scene::VrmFacts& facts);

// Approximates MToon by what scene::Material has.
void read_mtoon_materials(const VrmExtension& extension, scene::Scene& scene);

// The nodes that draw each mesh.
using MeshNodes = std::vector<std::vector<std::uint32_t>>;
MeshNodes find_mesh_nodes(const scene::Scene& scene, std::uint32_t node_count);

} // namespace vitrine::vrm
