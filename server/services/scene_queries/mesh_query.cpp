#include <fmt/format.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/variants.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t export_code = 6; // increment when the bytes for the same file change

std::string variant_text(std::uint32_t variant)
{
    return variant == scene::none ? std::string() : fmt::format("variant={}", variant);
}

scene::Scene with_variant(scene::Scene scene, std::uint32_t variant)
{
    scene::apply_variant(scene, variant);
    return scene;
}

} // namespace

Result<BakedMesh> bake_pose(const scene::Scene& scene, std::uint32_t clip, double time, BakeSpace space)
{
    scene::Pose pose;
    pose.origin = scene::rendering_origin(scene);
    if (clip == scene::none)
        scene::rest_pose(scene, pose);
    else
        scene::sample_pose(scene, clip, time, pose);
    auto mesh = bake_mesh(scene, pose, space);
    if (!mesh) return std::unexpected(to_service_error(mesh.error()));
    return std::move(*mesh);
}

std::string export_etag(const AssetRecord& asset, std::uint32_t variant)
{
    return data_etag(asset, fmt::format("glb-{}{}", export_code, variant_text(variant)));
}

Result<std::shared_ptr<const std::vector<std::byte>>>
export_glb(SceneStore& scenes, DerivedCache& derived, const AssetRecord& asset, std::uint32_t variant)
{
    const DerivedKey key{.content_hash = asset.content_hash,
                         .kind = "export-glb",
                         .parameters = variant_text(variant),
                         .code = export_code};
    if (auto found = derived.find(key))
        return std::make_shared<const std::vector<std::byte>>(std::move(*found));
    auto scene = scenes.find(asset);
    if (!scene) return std::unexpected(scene.error());
    auto bytes = variant == scene::none ? exporting::write_glb(**scene)
                                        : exporting::write_glb(with_variant(**scene, variant));
    if (!bytes)
        return make_error(Errc::unprocessable, std::string(to_string(bytes.error().code)),
                          bytes.error().detail);
    derived.store(key, *bytes);
    return std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
}

} // namespace vitrine::server
