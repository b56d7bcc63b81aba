#pragma once
// Derives the catalog's metadata from a Scene.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "api/user_clips.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/storage/scene_store.hpp"

namespace vitrine::server {

// Returns documents, counts, summary and search text; `more` are additional warnings, `user_clips` the last
// clips of the scene.
Metadata describe(const scene::Scene& scene, std::span<const scene::Warning> more = {},
                  std::span<const api::UserClip> user_clips = {});

// Device and model name (RenderRequest::model) for exact boxes.
struct BoundsSource {
    RenderPool& renders;
    const std::string& content_hash;
};

// Returns AssetDocument::bounds. Exact boxes are computed on the device, or on the CPU if it fails;
// conservative ones contain them. `report_progress(fraction)` is called between clips; if it returns false,
// the result is an empty text.
std::string describe_bounds(const SharedScene& scene, const BoundsSource& from,
                            const std::function<bool(double)>& report_progress);
// As describe_bounds(), where only the clips from `first` on are new; `known` is the previous document.
std::string describe_bounds_of_clips(std::string_view known, const SharedScene& scene, std::size_t first,
                                     const BoundsSource& from);

} // namespace vitrine::server
