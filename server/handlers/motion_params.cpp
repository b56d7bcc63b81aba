#include "server/handlers/motion_params.hpp"

#include <fmt/format.h>

#include "loaders/scene/humanoid/retarget.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"

namespace vitrine::server {
namespace {

using scene::FoundClip;
// Each is retargeted for the request.
constexpr std::size_t max_other_clips = 8;

using FoundOrProblem = std::expected<FoundClip, api::Problem>;

// Finds a clip of another asset: "ASSET:NAME".
FoundOrProblem find_other_clip(std::string_view text, const scene::Scene& scene, Context& context)
{
    const auto colon = text.find(':');
    const auto asset = context.services.catalog.find_asset(std::string(text.substr(0, colon)));
    if (!asset || asset->deleted != 0) return problem(404, "no_clip", "This asset has no such clip.");
    if (asset->format.empty())
        return problem(409, "not_imported", fmt::format("The asset {} is not imported.", asset->id));
    const auto other = require_scene(*asset, context);
    if (!other) return std::unexpected(other.error());
    const auto clip = resolve_clip(**other, std::string(text.substr(colon + 1)));
    if (!clip) return std::unexpected(clip.error());
    auto bound = scene::fit_clip(scene, **other, *clip);
    if (!bound)
        return problem(
            422, "clip_does_not_fit",
            fmt::format("No joint of this asset has the name or the role of one that the clip {} moves.",
                        scene::clip_id(*clip)));
    return FoundClip{.bound_clip = std::make_shared<const scene::Clip>(std::move(*bound)),
                     .key = fmt::format("fit{} {}:{}", scene::fit_revision, asset->content_hash, *clip)};
}

FoundOrProblem find_clip(const std::string& text, const scene::Scene& scene, Context& context)
{
    const auto own = resolve_clip(scene, text);
    if (own) return FoundClip{.clip = *own};
    if (auto range = scene::find_frame_range(scene, text)) {
        if (!*range) return problem(422, "not_in_model", std::move(range->error()));
        return std::move(**range);
    }
    if (own.error().code != "no_clip" || !text.contains(':')) return std::unexpected(own.error());
    return find_other_clip(text, scene, context);
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

std::expected<RequestedMotion, api::Problem> require_motion(const MotionTexts& texts,
                                                            const scene::Scene& scene, Context& context)
{
    FoundClip base;
    if (!is_static_pose(texts.clip)) {
        auto found = find_clip(*texts.clip, scene, context);
        if (!found) return std::unexpected(found.error());
        base = std::move(*found);
    }
    if (texts.animation.empty() && !base.bound_clip) return RequestedMotion{.clip = base.clip};
    std::optional<api::Problem> rejection;
    std::size_t others = base.bound_clip ? 1 : 0;
    const auto find = [&](std::string_view text) -> std::expected<FoundClip, std::string> {
        auto found = find_clip(std::string(text), scene, context);
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

double duration_of(const scene::Scene& scene, const RequestedMotion& motion)
{
    if (motion.layers) return scene::duration_of(scene, *motion.layers);
    return motion.clip == scene::none ? 0.0 : scene.clips[motion.clip].duration;
}

} // namespace vitrine::server
