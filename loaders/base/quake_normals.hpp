#pragma once
// The table of directions that MD2 (and Quake's MDL) index with a byte: the vertices of an icosahedron whose
// edges were halved twice, in id's order (anorms.h of the released Quake II sources, a fact of the format).

#include <array>

#include <glm/glm.hpp>

namespace vitrine {

extern const std::array<glm::vec3, 162> quake_normals; // file axes, unit length

} // namespace vitrine
