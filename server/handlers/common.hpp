#pragma once
// What several handlers say: which asset is meant, JSON answers, conditional requests.

#include <expected>
#include <optional>
#include <string>

#include <boost/json/value.hpp>

#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {

using AssetResult = std::expected<AssetRecord, api::Problem>;

// The asset of {id}, and of {n} where the path names a version; 404 when it is not there or in the trash.
AssetResult find_asset(const Request& request, Context& context);
// The same, imported: 409 with Retry-After while it is being imported, 409 when that failed.
AssetResult find_imported(const Request& request, Context& context);
// Its Scene. Blocking, slow pool.
std::expected<SharedScene, api::Problem> find_scene(const AssetRecord& asset, Context& context);
// What pictures of it are drawn of: see SceneStore::find_shown.
std::expected<SharedScene, api::Problem> find_shown_scene(const AssetRecord& asset, Context& context);
// A clip by "c3", "3", or an exact name that no other clip has.
std::expected<std::uint32_t, api::Problem> find_clip_of(const scene::Scene& scene, const std::string& text);

// A material variant by exact name or by index; 400 where there is none.
std::expected<std::uint32_t, api::Problem> find_variant_of(const scene::Scene& scene,
                                                           const std::string& text);

struct ClipOfAsset {
    AssetRecord asset;
    SharedScene scene;
    std::uint32_t index = 0;
    const scene::Clip& clip() const { return scene->clips[index]; }
};
// The clip of {clip} in the imported asset of {id}. Blocking, slow pool.
std::expected<ClipOfAsset, api::Problem> find_clip_scene(const Request& request, Context& context);

Response json_response(int status, const boost::json::value& value);
Response json_text_response(std::string text);

// ETag and Cache-Control; `immutable`: the URL will never mean anything else.
void add_caching(Response& response, const std::string& etag, bool immutable = false);
// 304 when If-None-Match names `etag`.
std::optional<Response> not_modified(const Request& request, const std::string& etag, bool immutable = false);
// A strong tag for what `kind` says of this version.
std::string document_etag(const AssetRecord& asset, std::string_view kind);

// Typed routes without parameters refuse any.
std::optional<api::Problem> refuse_query(const Request& request);

} // namespace vitrine::server
