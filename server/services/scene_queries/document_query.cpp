// Documents of assets: those that the import has stored, or the same of the Scene that poses and images show.
#include <algorithm>
#include <array>

#include "api/resources.hpp"
#include "server/services/importing/scene_metadata.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

// Of the machine or its load; the same request may find the Scene later.
bool is_temporary(const ServiceError& error)
{
    constexpr std::array codes{LoadErrc::timed_out, LoadErrc::out_of_memory, LoadErrc::killed};
    return error.kind != Errc::unprocessable ||
           std::ranges::any_of(codes, [&](LoadErrc code) { return error.code == to_string(code); });
}

} // namespace

Result<FoundDocument> find_document(const Catalog& catalog, SceneStore& scenes, const AssetRecord& asset,
                                    AssetDocument document)
{
    if (!asset.has_current_facts() && is_of_scene(document)) {
        const auto scene = scenes.load(asset);
        if (scene)
            return FoundDocument{
                describe_document(**scene, document, api::parse_user_clips(asset.user_clips))};
        if (is_temporary(scene.error())) return std::unexpected(scene.error());
    }
    auto text = catalog.find_document(asset.id, asset.version, document);
    if (!text) return not_imported_error("The import has not stored this part of the model yet.");
    return FoundDocument{std::move(*text), asset.has_current_facts()};
}

std::string response_text(const AssetRecord& asset, bool is_current, std::string text)
{
    return is_current ? std::move(text) : api::with_stale_facts(text, asset.facts_version);
}

} // namespace vitrine::server
