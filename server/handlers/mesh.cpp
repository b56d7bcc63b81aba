// The baked mesh of an asset at a time.
#include <fmt/format.h>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

struct MeshParams {
    MotionTexts motion;
    SceneTexts scene; // its variant is only validated: neither format has materials
    MeshQuery query;  // without the motion
};

MeshParams read_mesh(QueryReader& reader)
{
    MeshParams params{.motion = read_motion(reader), .scene = read_scene_texts(reader), .query = {}};
    auto time = reader.number("t", -max_seconds, max_seconds);
    if (time && is_static_pose(params.motion.clip) && params.motion.animation.layers.empty())
        reader.reject("t", "requires a clip");
    params.query.time = time.value_or(0.0);
    params.query.format =
        reader.choice<MeshFormat>("format", {{"obj", MeshFormat::obj}, {"ply", MeshFormat::ply}})
            .value_or(MeshFormat::obj);
    params.query.space =
        reader.choice<BakeSpace>("space", {{"scene", BakeSpace::scene}, {"file", BakeSpace::file}})
            .value_or(BakeSpace::scene);
    return params;
}

// Sets the body: a file of the derived cache, or a body of its own if the cache cannot store it.
std::optional<api::Problem> write_body(Response& response, const AssetRecord& asset, const MeshQuery& query,
                                       Context& context)
{
    auto& services = context.services;
    const auto file = find_mesh(services.scenes, services.derived, asset, query);
    if (!file) return to_problem(file.error());
    if (*file) {
        response.body = FileSlice{.file = (*file)->file, .offset = 0, .length = (*file)->size_bytes};
        return std::nullopt;
    }
    const auto scene = require_scene(asset, context);
    if (!scene) return scene.error();
    BodyWriter writer(context.responses);
    const auto written = write_mesh(**scene, query, [&](std::string_view piece) { writer.write(piece); });
    if (!written) return to_problem(written.error());
    writer.finish(response);
    return std::nullopt;
}

HandlerResult mesh_response(const AssetRecord& asset, const MeshQuery& query, const std::string& etag,
                            Context& context)
{
    const bool obj = query.format == MeshFormat::obj;
    auto response = text_response(200, obj ? "model/obj" : "application/octet-stream", "");
    if (auto rejection = write_body(response, asset, query, context)) return std::unexpected(*rejection);
    response.headers.add("Content-Disposition", fmt::format("attachment; filename*=UTF-8''{}.{}",
                                                            percent_encode(asset.name), obj ? "obj" : "ply"));
    add_caching(response, etag);
    return response;
}

} // namespace

HandlerResult get_mesh(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto params = read_mesh(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto variant = require_variant(params.scene.variant, *asset, context);
    if (!variant) return std::unexpected(variant.error());
    if (auto rejection = change_scene(*asset, params.scene, context)) return std::unexpected(*rejection);
    if (!is_static_pose(params.motion.clip) || !params.motion.animation.empty()) {
        const auto scene = require_scene(*asset, context);
        if (!scene) return std::unexpected(scene.error());
        auto motion = require_motion(params.motion, *asset, **scene, context);
        if (!motion) return std::unexpected(motion.error());
        params.query.clip = motion->clip;
        params.query.layers = std::move(motion->layers);
    }
    if (context.checks_only) return Response{};
    const auto etag = mesh_etag(*asset, params.query);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    return mesh_response(*asset, params.query, etag, context);
}

} // namespace vitrine::server
