#pragma once
// Which faces a picture leaves out: one rule for what draws, what picks and what chooses views. Pure.

#include <span>

#include "loaders/scene/pose.hpp"

namespace vitrine::render {

// Whether backs are left out: only glTF says that a surface has one side, without a material too.
bool culls_backs(const scene::Scene& scene, std::uint32_t material);

// The palette entry of the vertex' first joint: near enough to order surfaces by one of theirs and to tell
// which way round their triangles turn.
std::uint32_t mover_of(const scene::Instance& instance, const scene::Mesh& mesh, std::uint32_t vertex);

// Whether counter-clockwise triangles become clockwise.
bool mirrors(const scene::PaletteEntry& entry);

} // namespace vitrine::render
