#pragma once
// KHR_materials_ior, specular, clearcoat, sheen, transmission and volume, each as its README of version 1
// defines it.

#include <set>
#include <string_view>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/texture_reader.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

// Reads the extensions of `material`. What is out of range is brought into it. `told`: what is not shown was
// warned of already.
scene::MaterialExtensions read_material_extensions(LenientFields& material, const TextureReader& textures,
                                                   io::WarningLog& warnings,
                                                   std::set<std::string_view>& warned);

} // namespace vitrine::gltf
