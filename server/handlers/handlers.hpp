#pragma once
// Every handler of the route table. A handler parses, calls one service, maps its error, answers.

#include "server/routing/route.hpp"

namespace vitrine::server {

// assets.cpp
Answer list_assets(const Request& request, Context& context);
Answer get_asset(const Request& request, Context& context);
Answer change_asset(const Request& request, Context& context);
Answer delete_asset(const Request& request, Context& context);
Answer restore_asset(const Request& request, Context& context);
Answer list_versions(const Request& request, Context& context);
// upload.cpp
asio::awaitable<Answer> create_assets(Request& request, BodySource& body, Context& context);
// files.cpp
Answer list_files(const Request& request, Context& context);
Answer get_file(const Request& request, Context& context);
// rig.cpp
Answer get_skeleton(const Request& request, Context& context);
Answer list_clips(const Request& request, Context& context);
Answer add_clips(const Request& request, Context& context);
Answer delete_clip(const Request& request, Context& context);
Answer get_clip(const Request& request, Context& context);
Answer get_tracks(const Request& request, Context& context);
Answer get_pose(const Request& request, Context& context);
Answer get_materials(const Request& request, Context& context);
Answer get_warnings(const Request& request, Context& context);
// bounds.cpp
Answer get_bounds(const Request& request, Context& context);
Answer get_clip_bounds(const Request& request, Context& context);
// mesh.cpp
Answer get_mesh(const Request& request, Context& context);
// export.cpp
Answer get_export(const Request& request, Context& context);
// pictures.cpp
Answer get_thumbnail(const Request& request, Context& context);
Answer get_render(const Request& request, Context& context);
Answer get_pick(const Request& request, Context& context);
Answer get_sprite(const Request& request, Context& context);
Answer get_sprite_manifest(const Request& request, Context& context);
Answer get_animation(const Request& request, Context& context);
Answer get_turntable(const Request& request, Context& context);
// jobs.cpp
Answer get_job(const Request& request, Context& context);
Answer cancel_job(const Request& request, Context& context);
// events.cpp
asio::awaitable<Answer> get_events(Request& request, BodySource& body, Context& context);
// preview.cpp
asio::awaitable<Answer> open_preview(Request& request, BodySource& body, Context& context);
// guide.cpp
Answer get_guide(const Request& request, Context& context);
// health.cpp
Answer get_health(const Request& request, Context& context);
Answer get_readiness(const Request& request, Context& context);
Answer get_metrics(const Request& request, Context& context);
Answer get_contract(const Request& request, Context& context);
Answer get_api_page(const Request& request, Context& context);
// page.cpp
Answer get_page(const Request& request, Context& context);

} // namespace vitrine::server
