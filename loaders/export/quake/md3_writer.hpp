#pragma once
// Scene -> MD3 (Quake III): one .md3 and a PNG for each material. Every clip is baked at 15 frames a second,
// one after the other; without clips the static pose is the one frame. A surface for each primitive of
// triangles.
//
// What the format costs: positions are 64ths of a unit. A metre becomes 64 units, as characters of the games
// are some 60 units tall, so that a position is exact to an eighth of a millimetre; fewer where the model
// would not fit into 16 bits. Readers that take a unit for a metre see it 64 times as large. Quake III itself
// takes 4,096 vertices and 8,192 triangles a surface; the format's own numbers have 32 bits.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

inline constexpr float md3_units_per_metre = 64.0f;

// stem.md3, MATERIAL.png ... Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_md3(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
