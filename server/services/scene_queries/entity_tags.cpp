#include "server/services/scene_queries/scene_queries.hpp"

#include <fmt/format.h>

#include "loaders/scene/blob.hpp"

namespace vitrine::server {

std::string data_etag(const AssetRecord& asset, std::string_view kind)
{
    return fmt::format("\"{}-{}-{}-{}\"", asset.content_hash.substr(0, 24), asset.revision,
                       scene::blob_version, kind);
}

std::string document_etag(const AssetRecord& asset, AssetDocument document)
{
    return data_etag(asset, to_string(document));
}

} // namespace vitrine::server
