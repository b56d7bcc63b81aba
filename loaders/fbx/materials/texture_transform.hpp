#pragma once
// Where a texture object lies on its surface.

#include "loaders/fbx/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Sets offset, scale and rotation of `out`, for v that runs downwards; leaves them where the file's are not
// finite.
void set_transform(const Object& texture, scene::Texture& out);

} // namespace vitrine::fbx
