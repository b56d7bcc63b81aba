#include "server/services/scene_queries/scene_queries.hpp"

#include <span>

#include <fmt/format.h>

#include "loaders/scene/blob.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {

std::string data_etag(const AssetRecord& asset, std::string_view kind)
{
    return fmt::format("\"{}-{}-{}.{}-{}\"", asset.content_hash.substr(0, 24), asset.revision,
                       scene::blob_version, api::facts_version, kind);
}

std::string document_etag(const AssetRecord& asset, AssetDocument document)
{
    return data_etag(asset, to_string(document));
}

std::string poses_etag(const AssetRecord& asset, const PoseQuery& query, bool packed)
{
    constexpr int poses_revision = 1; // increment when the response to equal queries changes
    Sha256 hash;
    hash.update(fmt::format("{} {} {} {}\n", query.selection.clip, static_cast<int>(query.selection.space),
                            packed, query.times.size()));
    hash.update(std::as_bytes(std::span(query.times)));
    hash.update(std::as_bytes(std::span(query.selection.nodes)));
    if (query.layers) hash.update(query.layers->key);
    return data_etag(asset, fmt::format("poses-{}-{}", poses_revision, hash.finish().substr(0, 32)));
}

} // namespace vitrine::server
