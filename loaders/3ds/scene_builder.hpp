#pragma once
// Converts a document to the Scene, in the file's axes: materials, hierarchy, nodes, meshes and the clip.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/3ds/clip.hpp"
#include "loaders/3ds/document.hpp"
#include "loaders/images/texture_library.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Adds one material per material of the document, in order; 3D Studio's materials are Phong.
void add_materials(const Document& document, io::TextEncoding encoding, images::TextureLibrary& textures,
                   scene::Scene& scene);

inline constexpr std::size_t no_object = std::numeric_limits<std::size_t>::max();

// The parents of nodes, the objects they show, and the targets of cameras.
struct Hierarchy {
    std::vector<std::uint32_t> parents; // by node: a node, or scene::none
    std::vector<std::size_t> objects;   // by node: the mesh it shows, or no_object
    std::unordered_map<std::string_view, std::size_t, io::StringHash, std::equal_to<>>
        targets; // targets with a position: a node by the camera's name
};

// Removes missing parents and cycles, with a warning. Error: limit_exceeded (Limits::depth).
LoadResult<Hierarchy> find_hierarchy(const Document& document, const Limits& limits,
                                     io::WarningLog& warnings);

// Rotates a camera to its target, a separate node, and rolls it. Sets the rotation of scene node `camera`, at
// rest and in the clip, so that nodes below the camera are placed correctly. Does nothing for other nodes.
void aim_camera(const Document& document, const Hierarchy& hierarchy, std::uint32_t camera,
                scene::Scene& scene, ClipBuilder& clip, io::WarningLog& warnings);

// A node without any track, as some programs write them: placed where its mesh is stored.
struct StaticNode {
    std::uint32_t node = 0;
    glm::dmat4 model{1.0}; // node to world
};

// Sets the local transform of each below its parent, which may be a static node too, in any order; a matrix
// when it is not a TRS. A node whose parent has zero scale stays unchanged. Preconditions: parents are in the
// scene and form no cycles. Linear time.
void place_static_nodes(std::span<const StaticNode> static_nodes, scene::Scene& scene);

// Adds nodes, meshes and the clip. Precondition: the scene has the materials in the document's order.
// `clip_name`: name of the clip, if anything is animated. Errors: limit_exceeded.
LoadResult<void> build_scene(const Document& document, io::TextEncoding encoding, std::string clip_name,
                             const Limits& limits, io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::threeds
