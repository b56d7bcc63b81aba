// The baked mesh of an asset at a time.
#include <fmt/format.h>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/export/obj/mesh_obj.hpp"
#include "loaders/export/obj/mesh_ply.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/sample_times_param.hpp"

namespace vitrine::server {
namespace {

enum class MeshFormat : std::uint8_t { obj, ply };

struct MeshQuery {
    std::optional<std::string> clip;
    std::optional<std::string> variant; // only validated: neither format has materials
    double time = 0.0;
    MeshFormat format = MeshFormat::obj;
    BakeSpace space = BakeSpace::scene;
};

MeshQuery read_mesh(QueryReader& reader)
{
    MeshQuery query;
    query.clip = reader.text("clip");
    if (query.clip == "none") query.clip.reset(); // the static pose, as in image requests
    query.variant = reader.text("variant");
    auto time = reader.number("t", -max_seconds, max_seconds);
    if (time && !query.clip) reader.refuse("t", "requires a clip");
    query.time = time.value_or(0.0);
    query.format = reader.choice<MeshFormat>("format", {{"obj", MeshFormat::obj}, {"ply", MeshFormat::ply}})
                       .value_or(MeshFormat::obj);
    query.space = reader.choice<BakeSpace>("space", {{"scene", BakeSpace::scene}, {"file", BakeSpace::file}})
                      .value_or(BakeSpace::scene);
    return query;
}

Response mesh_response(const BakedMesh& mesh, const AssetRecord& asset, MeshFormat format)
{
    bool obj = format == MeshFormat::obj;
    auto response = text_response(200, obj ? "model/obj" : "application/octet-stream",
                                  obj ? write_mesh_obj(mesh) : write_mesh_ply(mesh));
    response.headers.add("Content-Disposition", fmt::format("attachment; filename*=UTF-8''{}.{}",
                                                            percent_encode(asset.name), obj ? "obj" : "ply"));
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

} // namespace

HandlerResult get_mesh(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_mesh(reader);
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto scene = find_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    if (query.variant) {
        auto variant = find_variant_of(**scene, *query.variant);
        if (!variant) return std::unexpected(variant.error());
    }
    scene::Pose pose;
    pose.origin = scene::rendering_origin(**scene);
    if (query.clip) {
        auto clip = find_clip_of(**scene, *query.clip);
        if (!clip) return std::unexpected(clip.error());
        scene::sample_pose(**scene, *clip, query.time, pose);
    } else {
        scene::rest_pose(**scene, pose);
    }
    auto mesh = bake_mesh(**scene, pose, query.space);
    if (!mesh) return problem(to_service_error(mesh.error()));
    return mesh_response(*mesh, *asset, query.format);
}

} // namespace vitrine::server
