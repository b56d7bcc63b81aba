#pragma once
// Which meshes hide the backs of all their faces. Pure.

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// The mesh's triangles bound solid bodies: every edge is walked as often one way as the other, over seams
// too, and each connected body turns its faces outward in the bind pose. Seen from outside a ray then meets a
// front before it meets a back, and leaves no picture changed where backs are not drawn: only where a pose
// turns a body inside out does a deeper front stand for the back. Points that coincide count as one where all
// that moves them is equal. Linear in vertices but for one sort.
bool is_closed(const scene::Mesh& mesh);

} // namespace vitrine::render
