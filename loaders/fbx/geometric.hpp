#pragma once
// The geometric transform of a node: it places what the node shows and is not inherited by its children.

#include "loaders/fbx/document.hpp"
#include "loaders/fbx/transform.hpp"

namespace vitrine::fbx {

// GeometricTranslation, GeometricRotation (XYZ, whatever order the node has), GeometricScaling.
DoubleTrs geometric_trs(const Properties& properties);

} // namespace vitrine::fbx
