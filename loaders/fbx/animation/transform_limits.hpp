#pragma once
// Limits on a model's transform (RotationActive, RotationMaxX, RotationMax, ...). The SDK clamps to them;
// Vitrine does not and warns where a transform exceeds them.

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Returns whether the curves of a node of a stack exceed the limits at their keys, between them, or within
// one minute of extrapolation beyond them.
bool passes_limits(const LoadContext& context, const AnimationStacks& animation, const AnimationStack& stack,
                   const CurveNode& node);

// Warns about models whose static transform exceeds its limits.
void warn_about_static_limits(const LoadContext& context);

} // namespace vitrine::fbx
