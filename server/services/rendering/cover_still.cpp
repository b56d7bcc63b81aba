#include "server/services/rendering/cover_still.hpp"

#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/catalog/cover.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

// Of a scene; empty: it has no such clip or variant.
struct CoverContent {
    std::optional<std::uint32_t> clip{};
    std::optional<std::uint32_t> variant{};
};

CoverContent find_content(const scene::Scene& scene, const Cover& cover)
{
    CoverContent found{.clip = scene::none, .variant = scene::none};
    if (!cover.clip.empty() && cover.clip != scene::static_pose_word) {
        const auto clip = scene::find_clip(scene, cover.clip, scene::ClipLookup::exact);
        found.clip = clip ? std::optional(*clip) : std::nullopt;
    }
    if (!cover.variant.empty()) found.variant = scene::find_variant(scene.variants, cover.variant);
    return found;
}

void set_camera(render::View& view, const Cover& cover)
{
    if (const auto camera = render::parse_camera(cover.view)) view.camera = *camera;
    if (cover.target) view.camera.target = glm::vec3(*cover.target);
    if (cover.fov) view.camera.vertical_fov = static_cast<float>(*cover.fov);
    view.camera.orthographic = cover.ortho;
    if (!cover.background.empty()) render::parse_background(cover.background, view.background);
}

} // namespace

RenderParams cover_still(const scene::Scene& scene, const AssetRecord& asset, std::uint32_t size)
{
    auto params = thumbnail_still(scene, size, {count_file_clips(scene, asset)});
    if (asset.cover.empty()) return params;
    const auto cover = parse_cover(asset.cover);
    const auto content = find_content(scene, cover);
    if (!content.clip || !content.variant) return params;
    params.variant = *content.variant;
    if (!cover.clip.empty()) {
        params.clip = *content.clip;
        params.time = 0.0;
        if (params.clip != scene::none)
            params.time = cover.time.value_or(scene::select_representative_pose(scene, params.clip).time);
    }
    set_camera(params.view, cover);
    return params;
}

std::vector<scene::Warning> cover_warnings(const scene::Scene& scene, const AssetRecord& asset)
{
    if (asset.cover.empty()) return {};
    const auto cover = parse_cover(asset.cover);
    const auto content = find_content(scene, cover);
    if (content.clip && content.variant) return {};
    const auto missing = !content.clip ? fmt::format("clip '{}'", cover.clip)
                                       : fmt::format("material variant '{}'", cover.variant);
    return {
        {std::string(cover_warning_code),
         fmt::format("the model does not have the {} of the asset's cover: the thumbnail shows what it would "
                     "without a cover",
                     missing),
         ""}};
}

} // namespace vitrine::server
