#pragma once
// The UV transform of a texture object.

#include "loaders/fbx/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Sets offset, scale and rotation of `out`, for v pointing down; leaves a value unchanged when the file's is
// not finite.
void set_transform(const Object& texture, scene::Texture& out);

} // namespace vitrine::fbx
