#pragma once
// How the parts of a scene are drawn in one frame: what blends, what is culled, how far away it is. Pure.

#include "vk_renderer/passes/raster_frame.hpp"

namespace vitrine::render {

// Backs are not drawn, from wherever.
bool is_single_sided(const DrawItem& item);

VkCullModeFlags cull_mode(const RasterFrame& frame, const DrawItem& item);

// Surfaces that show something else than their material hide what is behind them.
bool is_blended(const RasterFrame& frame, const DrawItem& item);

// Lines and points in the studio that have colors of their own, or a background that was asked for; others
// are darkened, for what is white would vanish before the studio's.
bool keeps_own_color(const RasterFrame& frame, const DrawItem& item);
// A background that is not opaque has no color that transparent surfaces could tint.
bool has_opaque_background(const RasterFrame& frame);

// Something of it lets light through.
bool has_transmission(const RasterFrame& frame);

// A surface whose alpha says nothing of blending, whose triangles are drawn as the file has them: its far
// side must not be seen over the near one.
bool hides(const RasterFrame& frame, const DrawItem& item);

// Of lengths, by an entry of a palette.
float length_scale(const scene::PaletteEntry& entry);

// Distance along the view direction.
float view_depth(const RasterFrame& frame, const DrawItem& item);

} // namespace vitrine::render
