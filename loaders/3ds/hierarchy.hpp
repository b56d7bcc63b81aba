#pragma once
// Which node hangs below which, which object each shows, and where cameras look.

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
    std::vector<std::size_t> objects;   // by node: the mesh that it shows, or no_object
    std::unordered_map<std::string_view, std::size_t, io::StringHash, std::equal_to<>>
        targets; // that have a place: by the camera's name, a node
};

// Parents that are not there and circles of parents are dissolved, with a warning. Error: Limits::depth.
LoadResult<Hierarchy> find_hierarchy(const Document& document, const Limits& limits,
                                     io::WarningLog& warnings);

// A camera is turned to its target, which is a node of its own, and rolled. Gives node `camera` of the scene
// that rotation, at rest and in the clip, so that what hangs below the camera stands right. Nothing for other
// nodes.
void aim_camera(const Document& document, const Hierarchy& hierarchy, std::uint32_t camera,
                scene::Scene& scene, ClipBuilder& clip, io::WarningLog& warnings);

} // namespace vitrine::threeds
