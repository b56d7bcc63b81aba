#pragma once
// Converts MTL libraries to materials and images of the Scene.

#include <vector>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/obj/document.hpp"
#include "loaders/obj/mtl_parser.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

// Reads the material libraries of an OBJ's mtllib lines. When none exists and materials are used, reads the
// .mtl with the OBJ's name next to it. `libraries` contains the text after each mtllib: one name with blanks,
// or several names.
std::vector<MtlMaterial> read_libraries(Source& source, const Limits& limits,
                                        const std::vector<NamedReference>& libraries,
                                        const std::vector<NamedReference>& used, io::WarningLog& warnings);

// Adds all materials of `library` to the scene, and a gray one for each used name without a material, and
// converts the primitives' indices into `used` to scene materials. When everything drawn has opacity 0, it
// becomes opaque, because some programs write 0 for every material.
void add_materials(std::vector<MtlMaterial> library, const std::vector<NamedReference>& used,
                   images::TextureLibrary& textures, scene::Scene& scene, io::WarningLog& warnings);

} // namespace vitrine::obj
