#include "server/handlers/scene_params.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::server {
namespace {

std::expected<AttachedAsset, api::Problem> find_attached(const std::string& text, const AssetRecord& base,
                                                         const scene::Scene& scene, Context& context)
{
    auto place = scene::parse_attach(text);
    if (!place) return problem(reject_parameter("attach", place.error()).error());
    const api::Problem missing{.status = 404,
                               .code = "no_asset",
                               .detail = fmt::format("There is no asset {} to attach.", place->asset)};
    auto asset = require_other_asset(place->asset, base, missing, context);
    if (!asset) return std::unexpected(asset.error());
    // One text for all names of a joint. Later attachments may also use nodes of earlier ones.
    if (const auto joint = scene::find_joint(scene, place->joint)) place->joint = std::to_string(*joint);
    return AttachedAsset{std::move(*asset), std::move(*place)};
}

std::unexpected<api::Problem> not_in_model(std::string_view parameter, std::string sentence)
{
    return problem(
        ServiceError{Errc::unprocessable, "not_in_model", std::string(parameter), std::move(sentence)});
}

std::expected<scene::Look, api::Problem> require_look(const scene::LookTexts& texts,
                                                      const scene::Scene& scene)
{
    auto look = scene::find_look(scene, texts);
    if (look) return std::move(*look);
    auto& error = look.error();
    if (error.not_in_the_file) return not_in_model(error.parameter, std::move(error.message));
    return problem(reject_parameter(error.parameter, std::move(error.message)).error());
}

// A model that loses render devices does so wherever it is attached.
std::optional<api::Problem> reject_quarantined(const SceneChanges& changes, Context& context)
{
    const auto is_quarantined = [&](const AssetRecord& asset) {
        return context.services.renders.quarantined(asset.content_hash);
    };
    if (!is_quarantined(changes.base) &&
        std::ranges::none_of(changes.attached,
                             [&](const AttachedAsset& other) { return is_quarantined(other.asset); }))
        return std::nullopt;
    return to_problem(ServiceError{Errc::unprocessable, "render_quarantined", "", ModelQuarantined().what()});
}

} // namespace

std::optional<VariantText> read_variant(QueryReader& reader)
{
    auto variant = reader.text("variant");
    auto skin = reader.text("skin");
    if (variant && skin) reader.reject("skin", "means the same as variant; only one of them may be given");
    if (skin) return VariantText{std::move(*skin), true};
    if (variant) return VariantText{std::move(*variant), false};
    return std::nullopt;
}

std::expected<std::uint32_t, api::Problem> require_variant(const std::optional<VariantText>& variant,
                                                           const AssetRecord& asset, Context& context)
{
    if (!variant) return scene::none;
    const auto scene = require_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    if (const auto found = scene::find_variant((*scene)->variants, variant->name)) return *found;
    if (variant->is_skin) return not_in_model("skin", scene::no_skin_message(**scene, variant->name));
    return problem(reject_parameter("variant", scene::no_variant_message(**scene, variant->name)).error());
}

scene::LookTexts read_look(QueryReader& reader)
{
    return {.lod = reader.text("lod"),
            .hide = reader.text("hide"),
            .only = reader.text("only"),
            .surface = reader.text("surface")};
}

SceneTexts read_scene_texts(QueryReader& reader)
{
    return {.attachments = reader.texts("attach"),
            .skinning = reader.choice<scene::SkinningMethod>("skinning", scene::skinning_words),
            .look = read_look(reader),
            .variant = read_variant(reader)};
}

std::optional<api::Problem> change_scene(AssetRecord& asset, const SceneTexts& texts, Context& context)
{
    if (texts.attachments.empty() && !texts.skinning && texts.look.empty()) return std::nullopt;
    if (texts.attachments.size() > scene::max_attachments)
        return to_problem(reject_parameter("attach", fmt::format("more than {} assets are attached",
                                                                 scene::max_attachments))
                              .error());
    SceneChanges changes{.base = asset, .skinning = texts.skinning};
    if (!texts.attachments.empty() || !texts.look.empty()) {
        const auto scene = require_scene(asset, context);
        if (!scene) return scene.error();
        auto look = require_look(texts.look, **scene);
        if (!look) return look.error();
        changes.look = std::move(*look);
        for (const auto& text : texts.attachments) {
            auto attached = find_attached(text, asset, **scene, context);
            if (!attached) return attached.error();
            changes.attached.push_back(std::move(*attached));
        }
    }
    if (changes.attached.empty() && !changes.skinning && changes.look == scene::Look{}) return std::nullopt;
    if (auto rejection = reject_quarantined(changes, context)) return rejection;
    asset = with_changes(std::move(changes));
    return std::nullopt;
}

std::expected<bool, api::Problem> bake_motion(AssetRecord& asset, const MotionTexts& texts, Context& context)
{
    if (is_static_pose(texts.clip) && texts.animation.empty()) return false;
    const auto scene = require_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto motion = require_motion(texts, asset, **scene, context);
    if (!motion) return std::unexpected(motion.error());
    if (!motion->layers)
        motion->layers = std::make_shared<const scene::AnimationLayers>(scene::AnimationLayers{
            .layers = {{.clip = motion->clip, .repeats = false}}, .key = scene::clip_id(motion->clip)});
    asset = with_changes({.base = asset, .baked = std::move(motion->layers)});
    return true;
}

} // namespace vitrine::server
