#include "server/handlers/motion_params.hpp"

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/scene/humanoid/retarget.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {

using scene::FoundClip;

namespace {
using FoundOrProblem = std::expected<FoundClip, api::Problem>;

// A character and the Scene of it that requests show.
struct MotionTarget {
    const AssetRecord& asset;
    const scene::Scene& scene;
};

bool names_file(const AssetRecord& asset, std::string_view name)
{
    return asset.main_file == name || io::base_name(asset.main_file) == name;
}

FoundOrProblem find_clip(const std::string& text, const MotionTarget& character, Context& context)
{
    const auto own = resolve_clip(character.scene, text);
    if (own) return FoundClip{.clip = *own};
    if (auto range = scene::find_frame_range(character.scene, text)) {
        if (!*range) return problem(422, "not_in_model", std::move(range->error()));
        return std::move(**range);
    }
    const bool names_other = text.contains(':') && !text.starts_with(scene::own_clip_mark);
    if (own.error().code != "no_clip" || !names_other) return std::unexpected(own.error());
    return require_other_clip(text, character.asset, character.scene, context);
}

} // namespace

scene::AnimationTexts read_animation(QueryReader& reader)
{
    return {.layers = reader.texts("layer"),
            .turns = reader.texts("turn"),
            .moves = reader.texts("move"),
            .scales = reader.texts("scale"),
            .reaches = reader.texts("reach")};
}

MotionTexts read_motion(QueryReader& reader)
{
    return {.clip = reader.text("clip"), .animation = read_animation(reader)};
}

AssetResult require_other_asset(const std::string& name, const AssetRecord& asset,
                                const api::Problem& missing, Context& context)
{
    if (asset.posted)
        for (const auto& other : asset.posted->others)
            if (names_file(other, name)) return other;
    const auto& catalog = context.services.catalog;
    auto found = catalog.find_asset(name);
    if (!found) found = catalog.find_in_upload(asset.id, name);
    if (!found || found->deleted != 0) return std::unexpected(missing);
    if (found->format.empty())
        return problem(409, "not_imported", fmt::format("The asset {} is not imported.", found->id));
    return std::move(*found);
}

std::expected<FoundClip, api::Problem> require_other_clip(std::string_view text, const AssetRecord& character,
                                                          const scene::Scene& scene, Context& context)
{
    const auto colon = text.find(':');
    const auto asset =
        require_other_asset(std::string(text.substr(0, colon)), character, no_clip(text), context);
    if (!asset) return std::unexpected(asset.error());
    const auto other = require_scene(*asset, context);
    if (!other) return std::unexpected(other.error());
    const auto clip = resolve_clip(**other, std::string(text.substr(colon + 1)), "The asset " + asset->id);
    if (!clip) return std::unexpected(clip.error());
    auto bound = context.services.scenes.fit_clip(character, scene, {*asset, **other, *clip});
    if (!bound)
        return problem(
            422, "clip_does_not_fit",
            fmt::format("No joint of this asset has the name or the role of one that the clip {} moves.",
                        scene::clip_id(*clip)));
    return FoundClip{.bound_clip = std::move(bound),
                     .key = fmt::format("fit{} {}:{}", scene::fit_revision, asset->content_hash, *clip)};
}

std::expected<RequestedMotion, api::Problem> require_motion(const MotionTexts& texts,
                                                            const AssetRecord& asset,
                                                            const scene::Scene& scene, Context& context)
{
    const MotionTarget character{asset, scene};
    FoundClip base;
    if (!is_static_pose(texts.clip)) {
        auto found = find_clip(*texts.clip, character, context);
        if (!found) return std::unexpected(found.error());
        base = std::move(*found);
    }
    if (texts.animation.empty() && !base.bound_clip) return RequestedMotion{.clip = base.clip};
    std::optional<api::Problem> rejection;
    std::size_t others = base.bound_clip ? 1 : 0;
    const auto find = [&](std::string_view text) -> std::expected<FoundClip, std::string> {
        auto found = find_clip(std::string(text), character, context);
        others += found && found->bound_clip ? 1 : 0;
        if (others > max_other_clips)
            found =
                problem(reject_parameter("layer", fmt::format("more than {} clips of other assets are played",
                                                              max_other_clips))
                            .error());
        if (found) return std::move(*found);
        rejection = found.error();
        return std::unexpected(found.error().detail);
    };
    auto layers = scene::make_layers(scene, base, texts.animation, find);
    if (layers) return RequestedMotion{.clip = base.clip, .layers = std::move(*layers)};
    if (rejection) return std::unexpected(std::move(*rejection));
    return problem(reject_parameter(std::string(layers.error().parameter), layers.error().message).error());
}

std::expected<ClipOfAsset, api::Problem> require_clip_of_asset(const Request& request, Context& context)
{
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto found = find_clip(request.param("clip"), {*asset, **scene}, context);
    if (!found) return std::unexpected(found.error());
    if (!found->bound_clip) return ClipOfAsset{std::move(*asset), std::move(*scene), found->clip};
    *asset = with_changes({.base = *asset, .played = std::move(*found)});
    scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    return ClipOfAsset{std::move(*asset), std::move(*scene), 0};
}

double duration_of(const scene::Scene& scene, const RequestedMotion& motion)
{
    if (motion.layers) return scene::duration_of(scene, *motion.layers);
    return motion.clip == scene::none ? 0.0 : scene.clips[motion.clip].duration;
}

} // namespace vitrine::server
