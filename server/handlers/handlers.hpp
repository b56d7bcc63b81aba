#pragma once
// Every handler of the route table. A handler parses the request, calls one service and maps its result to a
// response.

#include <optional>
#include <vector>

#include "server/routing/route.hpp"

namespace vitrine::server {

struct NewAsset; // server/services/catalog/catalog.hpp

// assets.cpp
HandlerResult list_assets(const Request& request, Context& context);
HandlerResult get_asset(const Request& request, Context& context);
HandlerResult change_asset(const Request& request, Context& context);
HandlerResult delete_asset(const Request& request, Context& context);
HandlerResult restore_asset(const Request& request, Context& context);
HandlerResult reimport_asset(const Request& request, Context& context);
HandlerResult lift_quarantine(const Request& request, Context& context);
// upload.cpp
asio::awaitable<HandlerResult> create_assets(Request& request, BodySource& body, Context& context);
// versions.cpp
HandlerResult list_versions(const Request& request, Context& context);
asio::awaitable<HandlerResult> create_version(Request& request, BodySource& body, Context& context);
HandlerResult restore_version(const Request& request, Context& context);
// files.cpp
HandlerResult list_files(const Request& request, Context& context);
HandlerResult get_file(const Request& request, Context& context);
// rig.cpp
HandlerResult get_skeleton(const Request& request, Context& context);
HandlerResult list_clips(const Request& request, Context& context);
HandlerResult add_clips(const Request& request, Context& context);
HandlerResult delete_clip(const Request& request, Context& context);
HandlerResult get_clip(const Request& request, Context& context);
HandlerResult get_tracks(const Request& request, Context& context);
HandlerResult get_keys(const Request& request, Context& context);
HandlerResult get_pose(const Request& request, Context& context);
HandlerResult list_materials(const Request& request, Context& context);
HandlerResult get_parts(const Request& request, Context& context);
HandlerResult list_warnings(const Request& request, Context& context);
// content.cpp
HandlerResult list_nodes(const Request& request, Context& context);
HandlerResult list_meshes(const Request& request, Context& context);
HandlerResult list_images(const Request& request, Context& context);
HandlerResult get_image(const Request& request, Context& context);
// checks.cpp
HandlerResult get_checks(const Request& request, Context& context);
// The models of a body.
HandlerResult check_models(const Request& request, const std::vector<NewAsset>& models, Context& context);
// posted_models.cpp
asio::awaitable<HandlerResult> inspect_posted(Request& request, BodySource& body, Context& context);
asio::awaitable<HandlerResult> render_posted(Request& request, BodySource& body, Context& context);
asio::awaitable<HandlerResult> animate_posted(Request& request, BodySource& body, Context& context);
// A worker for render_posted() and animate_posted() of another process. Blocking.
HandlerResult answer_remote_render_of_models(Request& request, const std::vector<NewAsset>& models,
                                             Context& context);
asio::awaitable<HandlerResult> convert_posted(Request& request, BodySource& body, Context& context);
asio::awaitable<HandlerResult> check_posted(Request& request, BodySource& body, Context& context);
// fitting.cpp
HandlerResult list_fitting_clips(const Request& request, Context& context);
HandlerResult list_fitting_characters(const Request& request, Context& context);
HandlerResult list_similar(const Request& request, Context& context);
// bounds.cpp
HandlerResult get_bounds(const Request& request, Context& context);
HandlerResult get_clip_facts(const Request& request, Context& context);
HandlerResult get_clip_bounds(const Request& request, Context& context);
// mesh.cpp
HandlerResult get_mesh(const Request& request, Context& context);
// export.cpp
HandlerResult get_export(const Request& request, Context& context);
// images.cpp
HandlerResult get_thumbnail(const Request& request, Context& context);
HandlerResult get_render(const Request& request, Context& context);
HandlerResult get_pick(const Request& request, Context& context);
HandlerResult get_sprite(const Request& request, Context& context);
HandlerResult get_sprite_manifest(const Request& request, Context& context);
HandlerResult get_animation(const Request& request, Context& context);
HandlerResult get_turntable(const Request& request, Context& context);
// json_requests.cpp
// Answers as `handler` does with the members of the JSON body as parameters.
HandlerResult answer_json(const Request& request, Context& context, BlockingHandler handler);
// Adds the members of the JSON body, if there is one, to the query. Returns the problem of a wrong body.
std::optional<api::Problem> add_json_members(Request& request);
// lineup.cpp
HandlerResult get_lineup(const Request& request, Context& context);
HandlerResult pick_in_lineup(const Request& request, Context& context);
HandlerResult render_lineup(const Request& request, Context& context);
HandlerResult animate_lineup(const Request& request, Context& context);
HandlerResult turn_lineup(const Request& request, Context& context);
// jobs.cpp
// As answer_json(), or later if the request prefers that.
HandlerResult answer_json_or_defer(const Request& request, Context& context, BlockingHandler handler);
HandlerResult list_jobs(const Request& request, Context& context);
HandlerResult retry_job(const Request& request, Context& context);
HandlerResult get_job(const Request& request, Context& context);
HandlerResult get_job_result(const Request& request, Context& context);
HandlerResult cancel_job(const Request& request, Context& context);
HandlerResult list_workers(const Request& request, Context& context);
// events.cpp
asio::awaitable<HandlerResult> get_events(Request& request, BodySource& body, Context& context);
// preview.cpp
asio::awaitable<HandlerResult> open_preview(Request& request, BodySource& body, Context& context);
asio::awaitable<HandlerResult> open_link(Request& request, BodySource& body, Context& context);
// health.cpp
asio::awaitable<HandlerResult> get_health(Request& request, BodySource& body, Context& context);
asio::awaitable<HandlerResult> get_readiness(Request& request, BodySource& body, Context& context);
HandlerResult get_storage(const Request& request, Context& context);
HandlerResult get_metrics(const Request& request, Context& context);
HandlerResult get_api_document(const Request& request, Context& context);
HandlerResult get_python_client(const Request& request, Context& context);
HandlerResult get_api_page(const Request& request, Context& context);
// web_page.cpp
HandlerResult get_guide(const Request& request, Context& context);
HandlerResult get_guide_page(const Request& request, Context& context);
HandlerResult get_page(const Request& request, Context& context);

} // namespace vitrine::server
