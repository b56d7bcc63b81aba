#pragma once
// Scene -> MD5 (Doom 3): one .md5mesh, one .md5anim for each clip, a PNG for each material. The skeleton
// gains a root joint "origin", which meshes without a skin and vertices without influences follow as they
// stand at rest: the format moves nothing but joints. Joint scale is lost, as the format has none.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// stem.md5mesh, stem_CLIP.md5anim ... Preconditions: the scene passed scene::validate() and has at most
// one skin. Clips are sampled at their own frame rate (24 where they have none); without a skin none is
// written.
std::vector<NamedFile> write_md5(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
