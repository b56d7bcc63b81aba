#pragma once
// Writes images, materials and effects of a COLLADA document. Internal to loaders/export.

#include <string>
#include <vector>

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Material m has the id "material-m". Adds a PNG for each image with pixels to `files`, named after `stem`.
void write_dae_materials(const scene::Scene& scene, const std::string& stem, DaeText& out,
                         std::vector<NamedFile>& files);

} // namespace vitrine::exporting
