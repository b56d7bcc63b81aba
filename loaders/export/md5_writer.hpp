#pragma once
// Scene -> MD5 (Doom 3): one .md5mesh, one .md5anim for each clip, a PNG for each material. For scenes with
// one skin; the skeleton gains a root joint "origin", which the vertices without influences follow. Joint
// scale is lost, as the format has none.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.md5mesh, stem_CLIP.md5anim ... Preconditions: the scene passed scene::validate() and has exactly one
// skin. Clips are sampled at their own frame rate (24 where they have none).
std::vector<NamedFile> write_md5(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
