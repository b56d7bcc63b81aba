#pragma once
// KHR_materials_ior, specular, clearcoat, sheen, transmission and volume, as version 1 of each extension's
// README defines it.

#include <set>
#include <string_view>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/texture_reader.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

// Reads the extensions of `material`. Values are clamped to their range. `warned`: unsupported parts that
// were already warned about.
scene::MaterialExtensions read_material_extensions(LenientFields& material, const TextureReader& textures,
                                                   io::WarningLog& warnings,
                                                   std::set<std::string_view>& warned);

} // namespace vitrine::gltf
