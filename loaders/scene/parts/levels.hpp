#pragma once
// Levels of detail: which nodes are drawn in which (Node::levels). A scene shows its most detailed level
// until another one is chosen. Functions that take a Scene require a validated one, except
// find_named_levels() and inherit_levels(), for which parents must precede their children.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Returns the number of levels; 1 if the scene has only one.
std::uint32_t level_count(const Scene& scene);

struct LevelContents {
    std::uint64_t nodes = 0;     // that draw something
    std::uint64_t triangles = 0; // that they draw
};
// Returns what each level draws, the most detailed one first.
std::vector<LevelContents> count_levels(const Scene& scene);

// Finds levels by the names of nodes. A set of levels are the children of one parent whose names differ only
// in a number that follows LOD at the end or the begin: tree_LOD0, tree_LOD1; "lod 1"; LOD2_tree. At least
// two of them must draw something. A number that a set lacks draws the one before it, so that sets with
// different numbers fit together. What is below a node belongs to its level. Linear in the names, but for a
// sort.
void find_named_levels(Scene& scene);

// For loaders: completes levels that are set at the topmost nodes of each only, and there at visible ones,
// with what is below them; shows the most detailed one.
void inherit_levels(Scene& scene);

// Shows a level instead of the most detailed one; nodes of no level are always shown. Afterwards the scene
// has one level.
void show_level(Scene& scene, std::uint32_t level);

} // namespace vitrine::scene
