#include "server/handlers/common.hpp"

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/scene/blob.hpp"
#include "loaders/scene/variants.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/net/byte_range.hpp"
#include "server/services/events/record_json.hpp"

namespace vitrine::server {
namespace {

bool names_version(const Request& request, const AssetRecord& asset)
{
    for (const auto& [name, value] : request.params) {
        if (name == "n" && value != std::to_string(asset.version)) return false;
    }
    return true;
}

} // namespace

AssetResult find_asset(const Request& request, Context& context)
{
    auto asset = context.services.catalog.find_asset(request.param("id"));
    if (!asset) return problem(asset.error());
    if (asset->deleted != 0) return problem(404, "in_trash", "This asset is in the trash.");
    if (!names_version(request, *asset)) return problem(404, "not_found", "This asset has no such version.");
    return std::move(*asset);
}

AssetResult find_imported(const Request& request, Context& context)
{
    auto asset = find_asset(request, context);
    if (!asset || !asset->format.empty()) return asset;
    if (asset->status == AssetStatus::importing) {
        return problem(
            ServiceError{Errc::not_ready, "not_imported", "", "This asset is still being imported.", 1});
    }
    auto why =
        asset->problem.value_or(ProblemRecord{.code = "import_failed", .where = "", .detail = "unknown"});
    api::Problem failed{.status = 409, .code = "import_failed", .detail = "The import failed: " + why.detail};
    failed.where = why.where;
    return std::unexpected(failed);
}

std::expected<SharedScene, api::Problem> find_scene(const AssetRecord& asset, Context& context)
{
    auto scene = context.services.scenes.find(asset);
    if (!scene) return problem(scene.error());
    return std::move(*scene);
}

std::expected<SharedScene, api::Problem> find_shown_scene(const AssetRecord& asset, Context& context)
{
    auto scene = context.services.scenes.find_shown(asset);
    if (!scene) return problem(scene.error());
    return std::move(*scene);
}

std::expected<std::uint32_t, api::Problem> find_clip_of(const scene::Scene& scene, const std::string& text)
{
    if (auto index = find_clip(text, scene.clips.size())) return *index;
    std::optional<std::uint32_t> found;
    bool several = false;
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i) {
        if (scene.clips[i].name != text) continue;
        several = found.has_value();
        found = i;
    }
    if (several)
        return problem(404, "ambiguous_clip", "Several clips have this name; use the id from /clips.");
    if (!found) return problem(404, "no_clip", "This asset has no such clip.");
    return *found;
}

std::expected<std::uint32_t, api::Problem> find_variant_of(const scene::Scene& scene, const std::string& text)
{
    auto variant = scene::find_variant(scene, text);
    if (variant) return *variant;
    return problem(ServiceError{Errc::invalid, "bad_parameter", "variant", std::move(variant.error())});
}

std::expected<ClipOfAsset, api::Problem> find_clip_scene(const Request& request, Context& context)
{
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto scene = find_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto clip = find_clip_of(**scene, request.param("clip"));
    if (!clip) return std::unexpected(clip.error());
    return ClipOfAsset{std::move(*asset), std::move(*scene), *clip};
}

Response json_response(int status, const boost::json::value& value)
{
    auto response = text_response(status, "application/json", api::to_text(value));
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

Response json_text_response(std::string text)
{
    return text_response(200, "application/json", std::move(text));
}

void add_caching(Response& response, const std::string& etag, bool immutable)
{
    response.headers.set("ETag", etag);
    response.headers.set("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
}

std::optional<Response> not_modified(const Request& request, const std::string& etag, bool immutable)
{
    auto field = request.headers.find("If-None-Match");
    if (!field || !matches_etag(*field, etag)) return std::nullopt;
    Response response{.status = 304};
    add_caching(response, etag, immutable);
    return response;
}

std::string document_etag(const AssetRecord& asset, std::string_view kind)
{
    return fmt::format("\"{}-{}-{}-{}\"", asset.source.substr(0, 24), asset.revision, scene::blob_version,
                       kind);
}

std::optional<api::Problem> refuse_query(const Request& request)
{
    return QueryReader(request).finish();
}

} // namespace vitrine::server
