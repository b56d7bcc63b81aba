#pragma once
// Skin weights: JOINTS_n and WEIGHTS_n of any number of sets.

#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Weights of 0 and below are dropped, the rest made to sum up to 1 by vertex. Empty when the primitive has no
// set, or (with a warning) sets that do not fit its vertices.
LoadResult<scene::Influences> read_influences(Document& document, io::JsonValue attributes,
                                              std::uint32_t vertices);

scene::Influences gather(const scene::Influences& influences, const std::vector<std::uint32_t>& corners);

// Appends those of `more_vertices` vertices to those of `vertices`; either may be empty.
void append(scene::Influences& to, std::size_t vertices, const scene::Influences& more,
            std::size_t more_vertices);

// Removes influences of joints at or beyond `joints` and normalises again; returns how many it removed.
std::size_t drop_invalid_joints(scene::Influences& influences, std::size_t joints);

} // namespace vitrine::gltf
