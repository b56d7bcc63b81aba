#pragma once
// The two transforms of a model as its properties say them, at rest: its own, and the geometric one.

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// Lcl Translation, PreRotation, RotationOrder, ... as they stand. Version 5 has them as the channels'
// defaults.
NodeTransform read_transform(const Document& document, std::uint32_t model);

// What places that which the model shows and is not inherited by its children: GeometricTranslation,
// GeometricRotation (XYZ, whatever order the model has), GeometricScaling.
DoubleTrs geometric_trs(const Properties& properties);

} // namespace vitrine::fbx
