#pragma once
// Adds nodes, meshes and the clip of a document, in the file's axes. Materials: materials.hpp.

#include "loaders/3ds/document.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Precondition: the scene has the materials in the document's order. `clip_name`: name of the clip, if
// anything is animated. Errors: limit_exceeded.
LoadResult<void> build_scene(const Document& document, io::Encoding encoding, std::string clip_name,
                             const Limits& limits, io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::threeds
