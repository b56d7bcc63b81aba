#pragma once
// Limits of a model's transform (RotationActive, RotationMaxX, RotationMax, ...), where the SDK stops it and
// we do not: what passes them is told of.

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Whether the curves of a node of a stack do: at their keys, between them, or going on for a minute beyond.
bool passes_limits(const LoadContext& context, const Animation& animation, const AnimationStack& stack,
                   const CurveNode& node);

// Warns of models whose static transform does.
void warn_of_static_limits(const LoadContext& context);

} // namespace vitrine::fbx
