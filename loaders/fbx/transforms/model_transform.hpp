#pragma once
// The two static transforms of a model from its properties: its own and the geometric one.

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// Reads Lcl Translation, PreRotation, RotationOrder, ... unmodified. Version 5 stores them as channel
// defaults.
NodeTransform read_transform(const Document& document, std::uint32_t model);

// Returns the transform of the model's content, which its children do not inherit: GeometricTranslation,
// GeometricRotation (always XYZ, independent of the model's rotation order), GeometricScaling.
DoubleTrs geometric_trs(const Properties& properties);

} // namespace vitrine::fbx
