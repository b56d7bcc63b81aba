#include "server/handlers/routes.hpp"

#include <algorithm>
#include <array>

#include "server/handlers/access/access_routes.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/webhooks/webhook_routes.hpp"
#include "server/link/link_frames.hpp"
#include "server/mcp/library.hpp"
#include "server/uploads/tus.hpp"

namespace vitrine::server {
namespace {

constexpr Route read(std::string_view pattern, std::string_view name, Pool pool, BlockingHandler handler,
                     ResponseSource source = ResponseSource::asset)
{
    return {.pattern = pattern,
            .name = name,
            .access = Access::read,
            .pool = pool,
            .blocking = handler,
            .source = source,
            .is_text = true};
}

// Images and model files, whose formats are compressed or whose bodies are files.
constexpr Route read_binary(std::string_view pattern, std::string_view name, Pool pool,
                            BlockingHandler handler)
{
    return {.pattern = pattern,
            .name = name,
            .access = Access::read,
            .pool = pool,
            .blocking = handler,
            .source = ResponseSource::asset};
}

constexpr Route write(Method method, std::string_view pattern, std::string_view name, BlockingHandler handler,
                      std::uint64_t body_bytes = 0)
{
    return catalog_route(method, Access::write, pattern, name, handler, body_bytes);
}

// Answered while all pools are busy.
constexpr Route public_route(std::string_view pattern, std::string_view name, AsyncHandler handler)
{
    return {.pattern = pattern, .name = name, .access = Access::anyone, .async = handler};
}

constexpr auto catalog = Pool::catalog;
constexpr auto scenes = Pool::scenes;
constexpr auto exports = Pool::exports;

constexpr Route read_poses(std::string_view pattern, std::string_view name, BlockingHandler handler)
{
    auto route = read(pattern, name, scenes, handler);
    route.is_large = names_several_times;
    return route;
}

constexpr Route read_still(std::string_view pattern, std::string_view name, BlockingHandler handler,
                           ResponseSource source = ResponseSource::asset)
{
    auto route = read_binary(pattern, name, scenes, handler);
    route.is_large = has_many_pixels;
    route.source = source;
    return route;
}

// Images and picks.
constexpr Route drawn(Route route)
{
    route.is_drawn = true;
    return route;
}

// Of several assets: a request may need far more than one of one asset.
constexpr Route watched(Route route)
{
    route.is_watched = true;
    return route;
}

constexpr Route read_sequence_of_many(std::string_view pattern, std::string_view name,
                                      BlockingHandler handler)
{
    auto route = read_binary(pattern, name, exports, handler);
    route.source = ResponseSource::catalog;
    return watched(route);
}

// The parameters are the body; otherwise as GET of the path, which `get` answers.
template <BlockingHandler get>
constexpr Route post_read(std::string_view pattern, std::string_view name, Pool pool)
{
    return {.method = Method::post,
            .pattern = pattern,
            .name = name,
            .access = Access::read,
            .pool = pool,
            .blocking = [](const Request& request,
                           Context& context) { return answer_json(request, context, get); },
            .body_bytes = 256 * 1024};
}

// The model is the body, of which nothing is kept.
constexpr Route posted(std::string_view pattern, std::string_view name, AsyncHandler handler)
{
    return {
        .method = Method::post, .pattern = pattern, .name = name, .access = Access::read, .async = handler};
}

constexpr Route write_async(Method method, std::string_view pattern, std::string_view name,
                            AsyncHandler handler)
{
    return {.method = method, .pattern = pattern, .name = name, .access = Access::write, .async = handler};
}

// A write that may wait for a scene.
constexpr Route write_scene(Method method, std::string_view pattern, std::string_view name,
                            BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    auto route = write(method, pattern, name, handler, body_bytes);
    route.pool = Pool::scenes;
    return route;
}

// Only who may write needs to know it.
constexpr Route for_writers(Route route)
{
    route.access = Access::write;
    return route;
}

HandlerResult call_mcp(const Request& request, Context& context)
{
    return answer_mcp(request, library_server(), rest_api(request, context, all_routes()));
}

constexpr Route mcp{.method = Method::post,
                    .pattern = "/mcp",
                    .name = "callMcp",
                    .access = Access::read,
                    .pool = exports,
                    .blocking = call_mcp,
                    .body_bytes = 256 * 1024};

constexpr std::array library_routes{
    write_async(Method::post, "/v1/assets", "createAssets", create_assets),
    Route{.method = Method::options,
          .pattern = "/v1/uploads",
          .name = "getUploadOptions",
          .access = Access::read,
          .blocking = get_upload_options},
    write_async(Method::post, "/v1/uploads", "createUpload", create_upload),
    for_writers(read("/v1/uploads/{id}", "getUpload", catalog, get_upload, ResponseSource::unknown)),
    write_async(Method::patch, "/v1/uploads/{id}", "appendUpload", append_upload),
    write(Method::delete_, "/v1/uploads/{id}", "deleteUpload", delete_upload),
    read("/v1/assets", "listAssets", catalog, list_assets, ResponseSource::catalog),
    read("/v1/assets/{id}", "getAsset", catalog, get_asset),
    write(Method::patch, "/v1/assets/{id}", "changeAsset", change_asset, 64 * 1024),
    write(Method::delete_, "/v1/assets/{id}", "deleteAsset", delete_asset),
    write(Method::post, "/v1/assets/{id}/restore", "restoreAsset", restore_asset, 1024),
    write(Method::post, "/v1/assets/{id}/reimport", "reimportAsset", reimport_asset, 1024),
    write(Method::delete_, "/v1/assets/{id}/quarantine", "liftQuarantine", lift_quarantine),
    read("/v1/assets/{id}/versions", "listVersions", catalog, list_versions),
    write_async(Method::post, "/v1/assets/{id}/versions", "createVersion", create_version),
    write(Method::post, "/v1/assets/{id}/versions/{n}/restore", "restoreVersion", restore_version, 1024),
    read("/v1/assets/{id}/files", "listFiles", catalog, list_files),
    read_binary("/v1/assets/{id}/files/{path...}", "getFile", catalog, get_file),
    read("/v1/assets/{id}/skeleton", "getSkeleton", scenes, get_skeleton),
    read("/v1/assets/{id}/materials", "listMaterials", scenes, list_materials),
    read("/v1/assets/{id}/parts", "getParts", scenes, get_parts),
    read("/v1/assets/{id}/nodes", "listNodes", scenes, list_nodes),
    read("/v1/assets/{id}/meshes", "listMeshes", scenes, list_meshes),
    read("/v1/assets/{id}/images", "listImages", scenes, list_images),
    read_binary("/v1/assets/{id}/images/{image}", "getImage", exports, get_image),
    read("/v1/assets/{id}/checks", "getChecks", scenes, get_checks),
    // Its response depends on the devices too.
    read("/v1/assets/{id}/warnings", "listWarnings", catalog, list_warnings, ResponseSource::unknown),
    read("/v1/assets/{id}/clips", "listClips", scenes, list_clips),
    write_scene(Method::patch, "/v1/assets/{id}/clips", "addClips", add_clips, 256 * 1024),
    read("/v1/assets/{id}/clips/{clip}", "getClip", scenes, get_clip),
    write_scene(Method::delete_, "/v1/assets/{id}/clips/{clip}", "deleteClip", delete_clip),
    read_poses("/v1/assets/{id}/clips/{clip}/pose", "getPose", get_pose),
    read("/v1/assets/{id}/clips/{clip}/facts", "getClipFacts", scenes, get_clip_facts),
    read("/v1/assets/{id}/clips/{clip}/tracks", "getTracks", exports, get_tracks),
    read("/v1/assets/{id}/clips/{clip}/keys", "getKeys", scenes, get_keys),
    read("/v1/assets/{id}/clips/{clip}/bounds", "getClipBounds", scenes, get_clip_bounds),
    read("/v1/assets/{id}/fitting-clips", "listFittingClips", catalog, list_fitting_clips,
         ResponseSource::catalog),
    read("/v1/assets/{id}/fitting-characters", "listFittingCharacters", catalog, list_fitting_characters,
         ResponseSource::catalog),
    read("/v1/assets/{id}/similar", "listSimilar", catalog, list_similar, ResponseSource::catalog),
    read("/v1/assets/{id}/bounds", "getBounds", scenes, get_bounds),
    read("/v1/assets/{id}/mesh", "getMesh", exports, get_mesh),
    read_binary("/v1/assets/{id}/export.glb", "getExport", exports, get_export),
    drawn(read_binary("/v1/assets/{id}/thumbnail", "getThumbnail", scenes, get_thumbnail)),
    drawn(read_still("/v1/assets/{id}/render", "getRender", get_render)),
    drawn(read("/v1/assets/{id}/pick", "getPick", scenes, get_pick)),
    drawn(read_binary("/v1/assets/{id}/sprite", "getSprite", exports, get_sprite)),
    read("/v1/assets/{id}/sprite/manifest", "getSpriteManifest", scenes, get_sprite_manifest),
    drawn(read_binary("/v1/assets/{id}/animation", "getAnimation", exports, get_animation)),
    drawn(read_binary("/v1/assets/{id}/turntable", "getTurntable", exports, get_turntable)),
    watched(read("/v1/lineup", "getLineup", scenes, get_lineup, ResponseSource::catalog)),
    drawn(watched(read("/v1/pick", "pickInLineup", scenes, pick_in_lineup, ResponseSource::catalog))),
    drawn(watched(read_still("/v1/render", "renderLineup", render_lineup, ResponseSource::catalog))),
    drawn(read_sequence_of_many("/v1/animation", "animateLineup", animate_lineup)),
    drawn(read_sequence_of_many("/v1/turntable", "turnLineup", turn_lineup)),
    Route{.pattern = "/v1/assets/{id}/preview",
          .name = "openPreview",
          .access = Access::read,
          .async = open_preview,
          .upgrades = true},
    Route{.pattern = "/v1/preview",
          .name = "openLineupPreview",
          .access = Access::read,
          .async = open_preview,
          .upgrades = true},
    post_read<get_pose>("/v1/assets/{id}/clips/{clip}/pose", "postPose", exports),
    post_read<get_mesh>("/v1/assets/{id}/mesh", "postMesh", exports),
    post_read<get_export>("/v1/assets/{id}/export.glb", "postExport", exports),
    drawn(post_read<get_render>("/v1/assets/{id}/render", "postRender", scenes)),
    drawn(post_read<get_pick>("/v1/assets/{id}/pick", "postPick", scenes)),
    drawn(post_read<get_sprite>("/v1/assets/{id}/sprite", "postSprite", exports)),
    drawn(post_read<get_animation>("/v1/assets/{id}/animation", "postAnimation", exports)),
    drawn(post_read<get_turntable>("/v1/assets/{id}/turntable", "postTurntable", exports)),
    posted("/v1/inspect", "inspectModel", inspect_posted),
    posted("/v1/render", "renderModel", render_posted),
    posted("/v1/animation", "animateModel", animate_posted),
    posted("/v1/convert", "convertModel", convert_posted),
    posted("/v1/check", "checkModel", check_posted),
    read("/v1/jobs", "listJobs", catalog, list_jobs, ResponseSource::unknown),
    read("/v1/jobs/{id}", "getJob", catalog, get_job, ResponseSource::unknown),
    write(Method::delete_, "/v1/jobs/{id}", "cancelJob", cancel_job),
    write(Method::post, "/v1/jobs/{id}/retry", "retryJob", retry_job, 1024),
    read("/v1/storage", "getStorage", catalog, get_storage, ResponseSource::unknown),
    read("/v1/workers", "listWorkers", catalog, list_workers, ResponseSource::unknown),
    Route{.pattern = "/v1/events", .name = "getEvents", .access = Access::read, .async = get_events},
    // Its ends prove to each other that they know the secret of links.
    Route{.pattern = link_path,
          .name = "openLink",
          .access = Access::anyone,
          .async = open_link,
          .upgrades = true},
    drawn(watched(mcp)),
    public_route("/healthz", "getHealth", get_health),
    public_route("/readyz", "getReadiness", get_readiness),
    read("/metrics", "getMetrics", catalog, get_metrics, ResponseSource::unknown),
    read("/openapi.json", "getApiDocument", catalog, get_api_document, ResponseSource::program),
    read("/clients/vitrine.py", "getPythonClient", catalog, get_python_client, ResponseSource::program),
    read("/docs", "getGuide", catalog, get_guide, ResponseSource::program),
    read("/docs/api", "getApiPage", catalog, get_api_page, ResponseSource::program),
};

constexpr auto routes = join_routes(library_routes, access_routes, organization_routes, webhook_routes);

constexpr Route page = read("/{path...}", "getPage", catalog, get_page, ResponseSource::web_file);

static_assert(std::ranges::none_of(routes,
                                   [](const Route& route) { return route.access == Access::undeclared; }),
              "each route declares what it requires");

} // namespace

std::span<const Route> all_routes()
{
    return routes;
}

const Route& page_route()
{
    return page;
}

} // namespace vitrine::server
