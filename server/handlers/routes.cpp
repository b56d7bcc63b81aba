#include "server/handlers/routes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "server/handlers/access/access_routes.hpp"
#include "server/handlers/access/account_routes.hpp"
#include "server/handlers/deferred/deferred_response.hpp"
#include "server/handlers/downloads/download_routes.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/libraries/library_routes.hpp"
#include "server/handlers/notes/note_routes.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/handlers/route_rows.hpp"
#include "server/handlers/sharing/sharing_routes.hpp"
#include "server/handlers/sign_on/sign_on_routes.hpp"
#include "server/handlers/webhooks/webhook_routes.hpp"
#include "server/link/link_frames.hpp"
#include "server/mcp/library.hpp"
#include "server/uploads/tus.hpp"

namespace vitrine::server {
namespace {

using namespace route_rows;

HandlerResult call_mcp(const Request& request, Context& context)
{
    return answer_mcp(request, library_server(), rest_api(request, context, all_routes()));
}

constexpr Route mcp{.method = Method::post,
                    .pattern = "/mcp",
                    .name = "callMcp",
                    .access = Access::read,
                    .granted = Granted::anything,
                    .pool = exports,
                    .blocking = call_mcp,
                    .body_bytes = 256 * 1024};

bool names_response_job(const Request& request)
{
    return is_response_job(request.target.segments.back());
}

constexpr std::array library_routes{
    granted(Granted::anything, write_async(Method::post, "/v1/assets", "createAssets", create_assets)),
    Route{.method = Method::options,
          .pattern = "/v1/uploads",
          .name = "getUploadOptions",
          .access = Access::read,
          .granted = Granted::anything,
          .blocking = get_upload_options},
    granted(Granted::anything, write_async(Method::post, "/v1/uploads", "createUpload", create_upload)),
    granted(Granted::anything,
            for_writers(read("/v1/uploads/{id}", "getUpload", catalog, get_upload, ResponseSource::unknown))),
    granted(Granted::anything, write_async(Method::patch, "/v1/uploads/{id}", "appendUpload", append_upload)),
    granted(Granted::anything, write(Method::delete_, "/v1/uploads/{id}", "deleteUpload", delete_upload)),
    shared(Sharing::list, read("/v1/assets", "listAssets", catalog, list_assets, ResponseSource::catalog)),
    shared(Sharing::asset, read("/v1/assets/{id}", "getAsset", catalog, get_asset)),
    granted(Granted::asset, write(Method::patch, "/v1/assets/{id}", "changeAsset", change_asset, 64 * 1024)),
    granted(Granted::asset, write(Method::delete_, "/v1/assets/{id}", "deleteAsset", delete_asset)),
    granted(Granted::asset,
            write(Method::post, "/v1/assets/{id}/restore", "restoreAsset", restore_asset, 1024)),
    granted(Granted::asset,
            write(Method::post, "/v1/assets/{id}/reimport", "reimportAsset", reimport_asset, 1024)),
    write(Method::delete_, "/v1/assets/{id}/quarantine", "liftQuarantine", lift_quarantine),
    shared(Sharing::asset, read("/v1/assets/{id}/versions", "listVersions", catalog, list_versions)),
    granted(Granted::asset,
            write_async(Method::post, "/v1/assets/{id}/versions", "createVersion", create_version)),
    granted(Granted::asset, write(Method::post, "/v1/assets/{id}/versions/{n}/restore", "restoreVersion",
                                  restore_version, 1024)),
    shared(Sharing::download, read("/v1/assets/{id}/files", "listFiles", catalog, list_files)),
    shared(Sharing::download, read_binary("/v1/assets/{id}/files/{path...}", "getFile", exports, get_file)),
    shared(Sharing::asset, read("/v1/assets/{id}/skeleton", "getSkeleton", scenes, get_skeleton)),
    shared(Sharing::asset, read("/v1/assets/{id}/materials", "listMaterials", scenes, list_materials)),
    shared(Sharing::asset, read("/v1/assets/{id}/parts", "getParts", scenes, get_parts)),
    shared(Sharing::asset, read("/v1/assets/{id}/nodes", "listNodes", scenes, list_nodes)),
    shared(Sharing::asset, read("/v1/assets/{id}/meshes", "listMeshes", scenes, list_meshes)),
    shared(Sharing::asset, read("/v1/assets/{id}/images", "listImages", scenes, list_images)),
    shared(Sharing::download, read_binary("/v1/assets/{id}/images/{image}", "getImage", exports, get_image)),
    shared(Sharing::asset, read("/v1/assets/{id}/checks", "getChecks", scenes, get_checks)),
    // Its response depends on the devices too.
    shared(Sharing::asset,
           read("/v1/assets/{id}/warnings", "listWarnings", catalog, list_warnings, ResponseSource::unknown)),
    shared(Sharing::asset, read("/v1/assets/{id}/clips", "listClips", scenes, list_clips)),
    granted(Granted::asset,
            write_scene(Method::patch, "/v1/assets/{id}/clips", "addClips", add_clips, 256 * 1024)),
    shared(Sharing::asset, read("/v1/assets/{id}/clips/{clip}", "getClip", scenes, get_clip)),
    granted(Granted::asset,
            write_scene(Method::delete_, "/v1/assets/{id}/clips/{clip}", "deleteClip", delete_clip)),
    shared(Sharing::asset, read_poses("/v1/assets/{id}/clips/{clip}/pose", "getPose", get_pose)),
    shared(Sharing::asset,
           read("/v1/assets/{id}/clips/{clip}/facts", "getClipFacts", scenes, get_clip_facts)),
    shared(Sharing::asset, read("/v1/assets/{id}/clips/{clip}/tracks", "getTracks", exports, get_tracks)),
    shared(Sharing::asset, read("/v1/assets/{id}/clips/{clip}/keys", "getKeys", scenes, get_keys)),
    shared(Sharing::asset,
           read("/v1/assets/{id}/clips/{clip}/bounds", "getClipBounds", scenes, get_clip_bounds)),
    granted(Granted::asset, read("/v1/assets/{id}/fitting-clips", "listFittingClips", catalog,
                                 list_fitting_clips, ResponseSource::catalog)),
    granted(Granted::asset, read("/v1/assets/{id}/fitting-characters", "listFittingCharacters", catalog,
                                 list_fitting_characters, ResponseSource::catalog)),
    granted(Granted::asset,
            read("/v1/assets/{id}/similar", "listSimilar", catalog, list_similar, ResponseSource::catalog)),
    shared(Sharing::asset, read("/v1/assets/{id}/bounds", "getBounds", scenes, get_bounds)),
    shared(Sharing::download, read("/v1/assets/{id}/mesh", "getMesh", exports, deferrable<get_mesh>)),
    shared(Sharing::download,
           read_binary("/v1/assets/{id}/export.glb", "getExport", exports, deferrable<get_export>)),
    shared(Sharing::picture,
           drawn_once(read_binary("/v1/assets/{id}/thumbnail", "getThumbnail", scenes, get_thumbnail))),
    shared(Sharing::picture,
           drawn(read_still("/v1/assets/{id}/render", "getRender", deferrable<get_render>))),
    shared(Sharing::asset, drawn(read("/v1/assets/{id}/pick", "getPick", scenes, get_pick))),
    shared(Sharing::picture,
           drawn(read_binary("/v1/assets/{id}/sprite", "getSprite", exports, deferrable<get_sprite>))),
    shared(Sharing::asset,
           read("/v1/assets/{id}/sprite/manifest", "getSpriteManifest", scenes, get_sprite_manifest)),
    shared(Sharing::picture, drawn(read_binary("/v1/assets/{id}/animation", "getAnimation", exports,
                                               deferrable<get_animation>))),
    shared(Sharing::picture, drawn(read_binary("/v1/assets/{id}/turntable", "getTurntable", exports,
                                               deferrable<get_turntable>))),
    granted(Granted::list,
            watched(read("/v1/lineup", "getLineup", scenes, get_lineup, ResponseSource::catalog))),
    granted(Granted::list, drawn(watched(read("/v1/pick", "pickInLineup", scenes, pick_in_lineup,
                                              ResponseSource::catalog)))),
    granted(Granted::list, drawn(watched(read_still("/v1/render", "renderLineup", deferrable<render_lineup>,
                                                    ResponseSource::catalog)))),
    granted(Granted::list,
            drawn(read_sequence_of_many("/v1/animation", "animateLineup", deferrable<animate_lineup>))),
    granted(Granted::list,
            drawn(read_sequence_of_many("/v1/turntable", "turnLineup", deferrable<turn_lineup>))),
    Route{.pattern = "/v1/assets/{id}/preview",
          .name = "openPreview",
          .access = Access::read,
          .sharing = Sharing::asset,
          .granted = Granted::asset,
          .async = open_preview,
          .upgrades = true},
    Route{.pattern = "/v1/preview",
          .name = "openLineupPreview",
          .access = Access::read,
          .granted = Granted::list,
          .async = open_preview,
          .upgrades = true},
    post_read<get_pose>("/v1/assets/{id}/clips/{clip}/pose", "postPose", exports),
    post_read<get_mesh, answer_json_or_defer>("/v1/assets/{id}/mesh", "postMesh", exports),
    post_read<get_export, answer_json_or_defer>("/v1/assets/{id}/export.glb", "postExport", exports),
    drawn(post_read<get_render, answer_json_or_defer>("/v1/assets/{id}/render", "postRender", scenes)),
    drawn(post_read<get_pick>("/v1/assets/{id}/pick", "postPick", scenes)),
    drawn(post_read<get_sprite, answer_json_or_defer>("/v1/assets/{id}/sprite", "postSprite", exports)),
    drawn(post_read<get_animation, answer_json_or_defer>("/v1/assets/{id}/animation", "postAnimation",
                                                         exports)),
    drawn(post_read<get_turntable, answer_json_or_defer>("/v1/assets/{id}/turntable", "postTurntable",
                                                         exports)),
    posted("/v1/inspect", "inspectModel", inspect_posted),
    posted("/v1/render", "renderModel", render_posted),
    posted("/v1/animation", "animateModel", animate_posted),
    posted("/v1/convert", "convertModel", convert_posted),
    posted("/v1/check", "checkModel", check_posted),
    granted(Granted::list, read("/v1/jobs", "listJobs", catalog, list_jobs, ResponseSource::unknown)),
    granted(Granted::job, read("/v1/jobs/{id}", "getJob", catalog, get_job, ResponseSource::unknown)),
    granted(Granted::job, read_binary("/v1/jobs/{id}/result", "getJobResult", exports, get_job_result,
                                      ResponseSource::unknown)),
    about_own(names_response_job,
              granted(Granted::job, write(Method::delete_, "/v1/jobs/{id}", "cancelJob", cancel_job))),
    granted(Granted::job, write(Method::post, "/v1/jobs/{id}/retry", "retryJob", retry_job, 1024)),
    read("/v1/storage", "getStorage", catalog, get_storage, ResponseSource::unknown),
    read("/v1/workers", "listWorkers", catalog, list_workers, ResponseSource::unknown),
    Route{.pattern = "/v1/events",
          .name = "getEvents",
          .access = Access::read,
          .granted = Granted::list,
          .async = get_events},
    // Its ends prove to each other that they know the secret of links.
    Route{.pattern = link_path,
          .name = "openLink",
          .access = Access::anyone,
          .async = open_link,
          .upgrades = true,
          .is_unlimited = true},
    drawn(watched(mcp)),
    public_route("/healthz", "getHealth", get_health),
    public_route("/readyz", "getReadiness", get_readiness),
    unlimited(read("/metrics", "getMetrics", catalog, get_metrics, ResponseSource::unknown)),
    shared(Sharing::anything,
           read("/openapi.json", "getApiDocument", catalog, get_api_document, ResponseSource::program)),
    shared(Sharing::anything, read("/clients/vitrine.py", "getPythonClient", catalog, get_python_client,
                                   ResponseSource::program)),
    shared(Sharing::anything, read("/docs", "getGuide", catalog, get_guide, ResponseSource::program)),
    shared(Sharing::anything,
           read("/docs/api", "getApiPage", catalog, get_api_page, ResponseSource::program)),
    shared(Sharing::anything,
           read("/docs/guide/{page}", "getGuidePage", catalog, get_guide_page, ResponseSource::program)),
};

constexpr auto routes =
    join_routes(library_routes, access_routes, organization_routes, webhook_routes, folder_library_routes,
                download_routes, sign_on_routes, note_routes, search_routes, sharing_routes, account_routes,
                field_routes, grant_routes);

constexpr Route page =
    shared(Sharing::anything, read("/{path...}", "getPage", catalog, get_page, ResponseSource::web_file));

static_assert(std::ranges::none_of(routes,
                                   [](const Route& route) { return route.access == Access::undeclared; }),
              "each route declares what it requires");

constexpr bool are_distinct(std::span<const Route, routes.size()> all)
{
    std::array<std::pair<Method, std::string_view>, routes.size()> keys;
    std::ranges::transform(all, keys.begin(),
                           [](const Route& route) { return std::pair(route.method, route.pattern); });
    std::ranges::sort(keys);
    return std::ranges::adjacent_find(keys) == keys.end();
}
static_assert(are_distinct(routes), "no two routes have the same method and pattern");

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
