// Exports an asset of any format as one GLB; with ?variant= only that material variant.
#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/scene/variants.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t export_code = 6; // increment when the bytes for the same file change

std::string kind_of(std::uint32_t variant)
{
    return variant == scene::none ? std::string() : fmt::format("variant={}", variant);
}

// Returns scene::none for all variants.
std::expected<std::uint32_t, api::Problem>
read_variant(const AssetRecord& asset, const std::optional<std::string>& name, Context& context)
{
    if (!name) return scene::none;
    auto scene = find_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    return find_variant_of(**scene, *name);
}

scene::Scene with_variant(scene::Scene scene, std::uint32_t variant)
{
    scene::apply_variant(scene, variant);
    return scene;
}

// Written once, then read from the derived cache.
std::expected<SharedBytes, api::Problem> exported(const AssetRecord& asset, std::uint32_t variant,
                                                  Context& context)
{
    auto& cache = context.services.derived;
    const DerivedKey key{
        .source = asset.source, .kind = "export-glb", .parameters = kind_of(variant), .code = export_code};
    if (auto found = cache.find(key))
        return std::make_shared<const std::vector<std::byte>>(std::move(*found));
    auto scene = find_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto bytes = variant == scene::none ? exporting::write_glb(**scene)
                                        : exporting::write_glb(with_variant(**scene, variant));
    if (!bytes) return problem(422, std::string(to_string(bytes.error().code)), bytes.error().detail);
    cache.store(key, *bytes);
    return std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
}

} // namespace

HandlerResult get_export(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto name = reader.text("variant");
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto variant = read_variant(*asset, name, context);
    if (!variant) return std::unexpected(variant.error());
    auto etag = document_etag(*asset, fmt::format("glb-{}{}", export_code, kind_of(*variant)));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto bytes = exported(*asset, *variant, context);
    if (!bytes) return std::unexpected(bytes.error());
    auto response = bytes_response("model/gltf-binary", std::move(*bytes));
    response.headers.add("Content-Disposition",
                         fmt::format("attachment; filename*=UTF-8''{}.glb", percent_encode(asset->name)));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
