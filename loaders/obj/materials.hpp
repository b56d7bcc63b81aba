#pragma once
// MTL libraries to materials and images of the Scene.

#include <vector>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/obj/document.hpp"
#include "loaders/obj/mtl_parser.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

// The material libraries that an OBJ's mtllib lines name, read; where there is none of them the .mtl beside
// the file with its name, when materials are used. `libraries` holds the rest of each line: one name with
// blanks, or several names.
std::vector<MtlMaterial> read_libraries(Source& source, const Limits& limits,
                                        const std::vector<NamedReference>& libraries,
                                        const std::vector<NamedReference>& used, io::WarningLog& warnings);

// Puts all of `library` into the scene, then a grey one for each used name that no library has, and turns the
// primitives' indices into `used` into such of materials. Where all that is drawn has opacity 0, it becomes
// opaque: some programs write 0 for every material.
void add_materials(std::vector<MtlMaterial> library, const std::vector<NamedReference>& used,
                   images::TextureLibrary& textures, scene::Scene& scene, io::WarningLog& warnings);

} // namespace vitrine::obj
