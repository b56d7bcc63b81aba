#pragma once
// Scenes for features of materials.

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

scene::Scene make_mask();
scene::Scene make_glass_sphere();
scene::Scene make_glass_bowl();
scene::Scene make_panes();
scene::Scene make_metals();
scene::Scene make_material_extensions();

} // namespace vitrine::test
