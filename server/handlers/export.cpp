// Exports an asset of any format as one GLB: with ?variant= only that material variant, with other assets
// attached, in another look, with a motion of layers in place of its clips.
#include <fmt/format.h>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {

HandlerResult get_export(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto name = read_variant(reader);
    const auto motion = read_motion(reader);
    const auto attachments = reader.texts("attach");
    const auto look = read_look(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto variant = require_variant(name, *asset, context);
    if (!variant) return std::unexpected(variant.error());
    if (auto rejection = change_scene(*asset, {.attachments = attachments, .look = look}, context))
        return std::unexpected(*rejection);
    if (auto baked = bake_motion(*asset, motion, context); !baked) return std::unexpected(baked.error());
    if (context.checks_only) return Response{};
    auto etag = export_etag(*asset, *variant);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto& services = context.services;
    auto exported = export_glb(services.scenes, services.derived, *asset, *variant);
    if (!exported) return problem(exported.error());
    auto response = text_response(200, "model/gltf-binary", "");
    if (const auto* file = std::get_if<DerivedFile>(&*exported))
        response.body = FileSlice{.file = file->file, .offset = 0, .length = file->size_bytes};
    else
        response.body = std::get<SharedBytes>(*exported);
    response.headers.add("Content-Disposition",
                         fmt::format("attachment; filename*=UTF-8''{}.glb", percent_encode(asset->name)));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
