#include "server/services/clip_editor.hpp"

#include "loaders/scene/validation/validate.hpp"
#include "server/services/importing/scene_metadata.hpp"
#include "server/services/rendering/cover_still.hpp"

namespace vitrine::server {

Result<AssetRecord> set_user_clips(Services& services, const AssetRecord& asset, const SharedScene& scene,
                                   const std::vector<UserClip>& clips, const std::string& if_match)
{
    const auto bounds = services.catalog.find_document(asset.id, asset.version, AssetDocument::bounds);
    if (asset.status != AssetStatus::ready || !bounds) return not_imported_error();
    const auto file_clips = count_file_clips(*scene, asset);
    auto next = replace_user_clips(*scene, file_clips, clips);
    if (const auto valid = scene::validate(next, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(to_service_error(valid.error()));
    const auto shared = std::make_shared<const scene::Scene>(std::move(next));
    UserClipsChange change{.before = asset.user_clips,
                           .after = api::user_clips_text(clips),
                           .if_match = if_match,
                           .found = describe(*shared, services.gate, cover_warnings(*shared, asset), clips)};
    // Bounds of an older version of the code do not belong to its facts.
    auto boxes = asset.has_current_facts() ? describe_bounds_of_clips(*bounds, *shared, file_clips)
                                           : describe_bounds(*shared, [](double) { return true; });
    change.found.documents.emplace_back(AssetDocument::bounds, std::move(boxes));
    auto changed = services.catalog.set_user_clips(asset.id, change);
    if (changed) services.scenes.adopt(*changed, shared);
    return changed;
}

} // namespace vitrine::server
