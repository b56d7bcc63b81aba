// The baked mesh of an asset at a time.
#include <fmt/format.h>

#include "loaders/export/obj/mesh_obj.hpp"
#include "loaders/export/obj/mesh_ply.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

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
    query.variant = reader.text("variant");
    auto time = reader.number("t", -max_seconds, max_seconds);
    if (time && is_static_pose(query.clip)) reader.reject("t", "requires a clip");
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
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto variant = find_variant(query.variant, *asset, context);
    if (!variant) return std::unexpected(variant.error());
    auto clip = find_clip(query.clip, *asset, context);
    if (!clip) return std::unexpected(clip.error());
    auto scene = find_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto mesh = bake_pose(**scene, *clip, query.time, query.space);
    if (!mesh) return problem(mesh.error());
    return mesh_response(*mesh, *asset, query.format);
}

} // namespace vitrine::server
