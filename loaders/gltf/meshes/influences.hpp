#pragma once
// Skin weights: any number of JOINTS_n and WEIGHTS_n sets.

#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Drops weights of 0 and below and normalizes the others per vertex. Empty when the primitive has no set, or
// (with a warning) when sets do not match its vertices.
LoadResult<scene::Influences> read_influences(Document& document, io::JsonValue attributes,
                                              std::uint32_t vertices);

scene::Influences gather(const scene::Influences& influences, const std::vector<std::uint32_t>& corners);

// Appends the influences of `more_vertices` vertices to those of `vertices`; either may be empty.
void append(scene::Influences& to, std::size_t vertices, const scene::Influences& more,
            std::size_t more_vertices);

// Removes influences of joints >= `joints` and normalizes again; returns the number removed.
std::size_t drop_invalid_joints(scene::Influences& influences, std::size_t joints);

} // namespace vitrine::gltf
