#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/variants.hpp"
#include "server/services/scene_queries/scene_queries.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t mesh_revision = 2;   // increment when the bytes for equal queries change
constexpr std::uint32_t export_revision = 6; // increment when the bytes for the same file change

std::string variant_text(std::uint32_t variant)
{
    return variant == scene::none ? std::string() : fmt::format("variant={}", variant);
}

scene::Scene with_variant(scene::Scene scene, std::uint32_t variant)
{
    scene::apply_variant(scene, variant);
    return scene;
}

Result<std::vector<std::byte>> make_glb(SceneStore& scenes, const AssetRecord& asset, std::uint32_t variant)
{
    auto scene = scenes.load(asset);
    if (!scene) return std::unexpected(scene.error());
    auto bytes = variant == scene::none ? exporting::write_glb(**scene)
                                        : exporting::write_glb(with_variant(**scene, variant));
    if (!bytes)
        return make_error(Errc::unprocessable, std::string(to_string(bytes.error().code)),
                          bytes.error().detail);
    return std::move(*bytes);
}

std::string parameters_of(const MeshQuery& query)
{
    auto text = fmt::format("{} {} {} {}", query.clip, query.time, static_cast<int>(query.format),
                            static_cast<int>(query.space));
    if (query.layers) text += " " + query.layers->key;
    return text;
}

} // namespace

std::string mesh_etag(const AssetRecord& asset, const MeshQuery& query)
{
    return data_etag(
        asset, fmt::format("mesh-{}-{}", mesh_revision, sha256_hex(parameters_of(query)).substr(0, 16)));
}

Result<void> write_mesh(const scene::Scene& scene, const MeshQuery& query, const ContentSink& sink)
{
    scene::Pose pose;
    pose.origin = scene::rendering_origin(scene);
    if (query.layers)
        scene::sample_layers(scene, *query.layers, query.time, pose);
    else
        scene::sample_pose(scene, query.clip, query.time, pose);
    const auto mesh = bake_mesh(scene, pose, query.space);
    if (!mesh) return std::unexpected(to_service_error(mesh.error()));
    if (query.format == MeshFormat::obj)
        write_mesh_obj(*mesh, sink);
    else
        write_mesh_ply(*mesh, sink);
    return {};
}

Result<std::optional<DerivedFile>> find_mesh(SceneStore& scenes, DerivedCache& derived,
                                             const AssetRecord& asset, const MeshQuery& query)
{
    const DerivedKey key{.content_hash = asset.content_hash,
                         .kind = "mesh",
                         .parameters = parameters_of(query),
                         .revision = mesh_revision};
    return derived.open_or_store(key, [&](const ContentSink& sink) -> Result<void> {
        const auto scene = scenes.load(asset);
        if (!scene) return std::unexpected(scene.error());
        return write_mesh(**scene, query, sink);
    });
}

std::string export_etag(const AssetRecord& asset, std::uint32_t variant)
{
    return data_etag(asset, fmt::format("glb-{}{}", export_revision, variant_text(variant)));
}

Result<ExportedGlb> export_glb(SceneStore& scenes, DerivedCache& derived, const AssetRecord& asset,
                               std::uint32_t variant)
{
    const auto in_memory = [&]() -> Result<ExportedGlb> {
        auto bytes = make_glb(scenes, asset, variant);
        if (!bytes) return std::unexpected(bytes.error());
        return std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
    };
    if (asset.posted) return in_memory();
    const DerivedKey key{.content_hash = asset.content_hash,
                         .kind = "export-glb",
                         .parameters = variant_text(variant),
                         .revision = export_revision};
    const auto file = derived.open_or_store(key, [&](const ContentSink& sink) -> Result<void> {
        const auto bytes = make_glb(scenes, asset, variant);
        if (!bytes) return std::unexpected(bytes.error());
        sink({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        return {};
    });
    if (!file) return std::unexpected(file.error());
    if (*file) return **file;
    return in_memory();
}

} // namespace vitrine::server
