#pragma once
// The directions that a byte names in MD2 (and in Quake's MDL): the corners of an icosahedron whose edges
// were halved twice, in id's order (anorms.h of the released Quake II sources, a fact of the format).

#include <array>

#include <glm/glm.hpp>

namespace vitrine::md2 {

extern const std::array<glm::vec3, 162> normals; // file axes, unit length

} // namespace vitrine::md2
