#pragma once
// The parents of nodes, the objects they show, and the targets of cameras.

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/3ds/clip.hpp"
#include "loaders/3ds/document.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

inline constexpr std::size_t no_object = std::numeric_limits<std::size_t>::max();

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

} // namespace vitrine::threeds
