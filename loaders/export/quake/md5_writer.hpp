#pragma once
// Writes a Scene as MD5 (Doom 3): one .md5mesh, one .md5anim for each clip, a PNG for each material. The
// skeleton gets a root joint "origin" for meshes without a skin and vertices without influences, which are
// written in their static pose: the format only animates joints. Joint scale is not preserved, because the
// format has none.

#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns stem.md5mesh, stem_CLIP.md5anim ... Preconditions: the scene passed scene::validate() and has at
// most one skin. Clips are sampled at their own frame rate (24 without one); without a skin no clips are
// written.
std::vector<NamedFile> write_md5(const scene::Scene& scene, const std::string& stem);

} // namespace vitrine::exporting
