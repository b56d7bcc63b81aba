#pragma once
// From a Scene to what the catalog keeps of it.

#include <functional>
#include <span>
#include <string>

#include <boost/json/object.hpp>

#include "server/services/catalog/catalog.hpp"
#include "server/services/catalog/user_clip_text.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/storage/scene_store.hpp"

namespace vitrine::server {

// Facts, counts, summary and search text; `more` are warnings that the loader did not give, `user_clips` the
// last clips of the scene.
Metadata describe(const scene::Scene& scene, std::span<const scene::Warning> more = {},
                  std::span<const UserClip> user_clips = {});

// A clip as GET .../clips answers: with what a user's clip was cut from.
boost::json::object describe_clip(const scene::Scene& scene, std::uint32_t clip,
                                  std::span<const UserClip> user_clips);

// Who measures exact boxes, and under which name (RenderRequest::model).
struct BoundsSource {
    RenderPool& renders;
    const std::string& model;
};

// AssetDocument::bounds. Exact boxes come from the device, or from the CPU where it fails; conservative ones
// contain them. `report_progress(fraction)` is asked between clips; false ends it early with an empty text.
std::string describe_bounds(const SharedScene& scene, const BoundsSource& from,
                            const std::function<bool(double)>& report_progress);
// The same where only the clips from `first` on are new; `known` is the fact as it was.
std::string describe_bounds_of_clips(std::string_view known, const SharedScene& scene, std::size_t first,
                                     const BoundsSource& from);

} // namespace vitrine::server
