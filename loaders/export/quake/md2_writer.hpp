#pragma once
// Writes a Scene as MD2 (Quake II): one .md2 and the PNG of its skin, 1 unit = 1 meter. Every clip is baked
// at 10 frames per second; without clips the only frame is the static pose. All instances become one mesh;
// the materials' images (or plain colors) become cells of the skin; texture coordinates outside an image
// wrap.
//
// Precision: a position is a 255th of its frame's bounding box along each axis, a normal is one of 162
// directions, and each position has one normal, so vertices with different normals stay separate. Quake II
// itself supports 2,048 vertices, 4,096 triangles and 512 frames; this writer uses the format's limits, whose
// indices have 16 bits.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.md2 and stem.png. Empty when the scene has no triangle or more than 65,536 positions or
// texture coordinates. Precondition: the scene passed scene::validate().
std::vector<NamedFile> write_md2(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
