// The whole model as one GLB, whatever it came as.
#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t export_code = 5; // rises when the bytes for the same file change

// Written once, then from the derived cache.
std::expected<SharedBytes, api::Problem> exported(const AssetRecord& asset, Context& context)
{
    auto& cache = context.services.derived;
    const DerivedKey key{.source = asset.source, .kind = "export-glb", .parameters = {}, .code = export_code};
    if (auto found = cache.find(key))
        return std::make_shared<const std::vector<std::byte>>(std::move(*found));
    auto scene = find_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto bytes = exporting::write_glb(**scene);
    if (!bytes) return problem(422, std::string(to_string(bytes.error().code)), bytes.error().detail);
    cache.store(key, *bytes);
    return std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
}

} // namespace

HandlerResult get_export(const Request& request, Context& context)
{
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, fmt::format("glb-{}", export_code));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto bytes = exported(*asset, context);
    if (!bytes) return std::unexpected(bytes.error());
    auto response = bytes_response("model/gltf-binary", std::move(*bytes));
    response.headers.add("Content-Disposition",
                         fmt::format("attachment; filename*=UTF-8''{}.glb", percent_encode(asset->name)));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
