#pragma once
// Writes a Scene as MD3 (Quake III): one .md3 and a PNG for each material. Every clip is baked at 15 frames
// per second, consecutively; without clips the only frame is the static pose. One surface per primitive of
// triangles.
//
// Precision: positions are 64ths of a unit. A meter is 64 units, because characters of the games are about 60
// units tall, so that a position is precise to an eighth of a millimeter; fewer units when the model would
// exceed 16 bits. Readers that treat a unit as a meter show it 64 times as large. Quake III itself supports
// 4,096 vertices and 8,192 triangles per surface; the format's own counts have 32 bits.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

inline constexpr float md3_units_per_meter = 64.0f;

// Returns stem.md3, MATERIAL.png ... Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_md3(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
