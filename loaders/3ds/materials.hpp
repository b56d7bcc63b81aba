#pragma once
// Converts materials of 3D Studio (Phong) to those of the Scene.

#include "loaders/3ds/document.hpp"
#include "loaders/images/texture_library.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Adds one material per material of the document, in order.
void add_materials(const Document& document, io::Encoding encoding, images::TextureLibrary& textures,
                   scene::Scene& scene);

} // namespace vitrine::threeds
