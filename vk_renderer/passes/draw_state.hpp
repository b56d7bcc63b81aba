#pragma once
// Per-frame draw state of a scene's parts: blending, culling, distance. Pure functions.

#include "vk_renderer/passes/raster_frame.hpp"

namespace vitrine::render {

// Whether back faces are always culled.
bool is_single_sided(const DrawItem& item);

VkCullModeFlags cull_mode(const RasterFrame& frame, const DrawItem& item);

// Debug views are opaque.
bool is_blended(const RasterFrame& frame, const DrawItem& item);

// Whether lines and points in the studio keep their color: if they have colors of their own or the view sets
// a background. Others are darkened, because white ones would be invisible against the studio backdrop.
bool keeps_own_color(const RasterFrame& frame, const DrawItem& item);
// Transparent surfaces cannot tint a background that is not opaque.
bool has_opaque_background(const RasterFrame& frame);

// Whether any part of the scene transmits light.
bool has_transmission(const RasterFrame& frame);

// Whether a transmitting surface writes depth: its alpha mode is not blend and its triangles are drawn in
// file order, so that its far side must not be drawn over the near side.
bool hides(const RasterFrame& frame, const DrawItem& item);

// The scale of lengths by a palette entry.
float length_scale(const scene::PaletteEntry& entry);

// Distance along the view direction.
float view_depth(const RasterFrame& frame, const DrawItem& item);

} // namespace vitrine::render
