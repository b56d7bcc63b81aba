#pragma once
// The motion of a request: a clip of the asset or of another one, layers and adjusted joints
// (loaders/scene/layers/layer_text.hpp).

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/scene/layers/layer_text.hpp"
#include "server/handlers/common.hpp"
#include "server/routing/context.hpp"
#include "server/routing/query_reader.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_other_clips = 8; // of one motion

struct MotionTexts {
    std::optional<std::string> clip;
    scene::AnimationTexts animation;
};

// clip, layer, turn, move, scale, reach.
MotionTexts read_motion(QueryReader& reader);
// As above, without the clip: for routes that have it in the path.
scene::AnimationTexts read_animation(QueryReader& reader);

// Finds an asset that a request for `asset` names: another model of the request itself by its file, an asset
// by its id, or one of the same upload by its file. Problems: `missing`, 409.
AssetResult require_other_asset(const std::string& name, const AssetRecord& asset,
                                const api::Problem& missing, Context& context);

// Finds a clip of another asset, "ASSET:NAME", as it plays on `scene`, a Scene of `asset`. Problems: 404
// no_clip, 422, and those of require_other_asset().
std::expected<scene::FoundClip, api::Problem> require_other_clip(std::string_view text,
                                                                 const AssetRecord& asset,
                                                                 const scene::Scene& scene, Context& context);

// Finds the clips and joints of the texts in `scene`, a Scene of `asset` that requests show. "ASSET:NAME"
// plays a clip of require_other_asset(), as scene::fit_clip() binds it. Problems: 404 for a clip or asset
// that does not exist, 400 for anything else; blocking, scenes pool.
std::expected<RequestedMotion, api::Problem> require_motion(const MotionTexts& texts,
                                                            const AssetRecord& asset,
                                                            const scene::Scene& scene, Context& context);

struct ClipOfAsset {
    AssetRecord asset;
    SharedScene scene;
    std::uint32_t index = 0;
    const scene::Clip& clip() const { return scene->clips[index]; }
};
// Returns the clip {clip} of the imported asset {id}. A clip of another asset, "ASSET:NAME", and a range of
// frames are the only clip of an asset with changes. Routes of a clip do this before they read the query,
// whose ranges depend on the clip (an unknown clip is 404 whatever the query); all others read the query
// first. Problems: those of require_motion(). Blocking, scenes pool.
std::expected<ClipOfAsset, api::Problem> require_clip_of_asset(const Request& request, Context& context);

// Seconds after which the motion ends.
double duration_of(const scene::Scene& scene, const RequestedMotion& motion);

} // namespace vitrine::server
