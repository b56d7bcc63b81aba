#pragma once
// Nodes, meshes and the clip of a document, in the file's axes. Materials come from materials.hpp.

#include "loaders/3ds/document.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Materials must be in the scene already, in the document's order. `clip_name` for the clip, if anything
// moves. Errors: limit_exceeded.
LoadResult<void> build_scene(const Document& document, io::Encoding encoding, std::string clip_name,
                             const Limits& limits, io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::threeds
