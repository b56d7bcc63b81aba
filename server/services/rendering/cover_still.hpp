#pragma once
// Thumbnails with the cover of their asset. Pure functions.

#include <vector>

#include "server/services/rendering/image_service.hpp"

namespace vitrine::server {

// As thumbnail_still(), with the cover of the asset, if the scene has its clip and variant. The variant of
// the result is that of the cover. `size` is not rounded.
RenderParams cover_still(const scene::Scene& scene, const AssetRecord& asset, std::uint32_t size);

// A warning if the cover shows what the scene does not have; the thumbnail is then the one without a cover.
std::vector<scene::Warning> cover_warnings(const scene::Scene& scene, const AssetRecord& asset);

} // namespace vitrine::server
