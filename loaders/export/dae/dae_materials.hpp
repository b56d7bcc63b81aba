#pragma once
// Images, materials and effects of a COLLADA document. Internal to loaders/export.

#include <string>
#include <vector>

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Material m is "material-m". `files` receives a PNG for each image with pixels, named after `stem`.
void write_dae_materials(const scene::Scene& scene, const std::string& stem, DaeText& out,
                         std::vector<NamedFile>& files);

} // namespace vitrine::exporting
