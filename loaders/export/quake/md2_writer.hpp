#pragma once
// Scene -> MD2 (Quake II): one .md2 and the PNG of its one skin, 1 unit = 1 metre. Every clip is baked at 10
// frames a second; without clips the static pose is the one frame. All instances become one mesh; materials
// keep their pictures (or plain color) as cells of the skin, texture coordinates beyond a picture wrap.
//
// What the format costs: a position is a 255th of its frame's box along each axis, a normal one of 162, and a
// position has one normal, so vertices that differ in it stay apart. Quake II itself takes 2,048 vertices,
// 4,096 triangles and 512 frames; this writer fills the format, whose indices have 16 bits.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.md2, stem.png. Empty where the scene has no triangle or more than 65,536 positions or texture
// coordinates. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_md2(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
