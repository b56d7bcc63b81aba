// The rig as data: skeleton, clips, tracks, poses.
#include <algorithm>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "api/user_clips.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/net/accept.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_listed_tracks = 50'000; // of /keys

// Returns a document that the import stored; with `wrap`, a list is returned as {"items": ...}.
HandlerResult document_response(const Request& request, Context& context, AssetDocument document, bool wrap)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, document);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto& services = context.services;
    auto found = find_document(services.catalog, services.scenes, *asset, document);
    if (!found) return problem(found.error());
    auto text = wrap ? api::list_text(found->text) : std::move(found->text);
    auto response = json_text_response(response_text(*asset, found->is_current, std::move(text)));
    add_caching(response, etag);
    return response;
}

// Reads nodes as scene::find_joints() does; all nodes by default.
std::vector<std::uint32_t> read_nodes(QueryReader& reader, const scene::Scene& scene)
{
    std::vector<std::uint32_t> nodes;
    auto joint_names = reader.texts("joint");
    if (joint_names.empty()) {
        for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
            if (!scene::is_helper(scene.nodes[i])) nodes.push_back(i);
        return nodes;
    }
    for (const auto& name : joint_names) {
        const auto found = scene::find_joints(scene, name);
        if (found.empty()) reader.reject("joint", "is not a joint or node of this asset: " + name);
        nodes.insert(nodes.end(), found.begin(), found.end());
    }
    return nodes;
}

HandlerResult pose_response(const scene::Scene& scene, const PoseQuery& query, Context& context)
{
    BodyWriter writer(context.responses);
    const auto written = write_poses(scene, query, [&](std::string_view piece) { writer.write(piece); });
    if (!written) return problem(written.error());
    auto response = text_response(200, "application/json", "");
    writer.finish(response);
    return response;
}

HandlerResult packed_pose_response(const scene::Scene& scene, const PoseQuery& query, Context& context)
{
    BodyWriter writer(context.responses);
    const auto written =
        write_packed_poses(scene, query, [&](std::string_view piece) { writer.write(piece); });
    if (!written) return problem(written.error());
    auto response = text_response(200, "application/octet-stream", "");
    writer.finish(response);
    response.headers.add("X-Vitrine-Times", std::to_string(query.times.size()));
    response.headers.add("X-Vitrine-Nodes", std::to_string(query.selection.nodes.size()));
    response.headers.add("X-Vitrine-Floats",
                         std::to_string(api::packed_floats_per_node(query.selection.space)));
    return response;
}

struct PosedAsset {
    AssetRecord asset;
    SharedScene scene;
    RequestedMotion motion;
};

// Returns the asset {id}, with what is attached to it, with the motion of {clip}, which may be none or a clip
// of another asset here, and of the query.
std::expected<PosedAsset, api::Problem> require_posed_asset(const Request& request, Context& context)
{
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    QueryReader reader(request);
    if (auto rejection = change_scene(*asset, {.attachments = reader.texts("attach")}, context))
        return std::unexpected(*rejection);
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto motion = require_motion({request.param("clip"), read_animation(reader)}, *asset, **scene, context);
    if (!motion) return std::unexpected(motion.error());
    return PosedAsset{std::move(*asset), std::move(*scene), std::move(*motion)};
}

// Returns the clip that times are read against: the base, or one as long as the layers.
scene::Clip timing_of(const scene::Scene& scene, const RequestedMotion& motion)
{
    scene::Clip clip;
    clip.duration = duration_of(scene, motion);
    const bool has_base = motion.layers && !motion.layers->layers.empty();
    if (motion.clip != scene::none)
        clip.frame_rate = scene.clips[motion.clip].frame_rate;
    else if (has_base)
        clip.frame_rate = scene::clip_of(scene, motion.layers->layers.front()).frame_rate;
    return clip;
}

} // namespace

HandlerResult get_skeleton(const Request& request, Context& context)
{
    return document_response(request, context, AssetDocument::skeleton, false);
}

HandlerResult list_clips(const Request& request, Context& context)
{
    return document_response(request, context, AssetDocument::clips, false);
}

HandlerResult list_materials(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, AssetDocument::materials);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto& services = context.services;
    const auto materials = find_document(services.catalog, services.scenes, *asset, AssetDocument::materials);
    if (!materials) return problem(materials.error());
    const auto variants = find_document(services.catalog, services.scenes, *asset, AssetDocument::variants);
    auto text = api::materials_list_text(materials->text, variants ? variants->text : "[]");
    auto response = json_text_response(response_text(*asset, materials->is_current, std::move(text)));
    add_caching(response, etag);
    return response;
}

HandlerResult get_parts(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    constexpr std::string_view kind = "parts-1"; // increment when the response changes
    const auto etag = data_etag(*asset, kind);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    const auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto response = json_text_response(api::to_text(api::parts_json(**scene)));
    add_caching(response, etag);
    return response;
}

// Returns the stored warnings after those of the running process, which a restart forgets: not cached.
HandlerResult list_warnings(const Request& request, Context& context)
{
    const auto asset = require_imported(request, context);
    if (!asset || !context.services.renders.quarantined(asset->content_hash))
        return document_response(request, context, AssetDocument::warnings, true);
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const scene::Warning quarantined{"render_quarantined", ModelQuarantined().what(), ""};
    const auto stored =
        context.services.catalog.find_document(asset->id, asset->version, AssetDocument::warnings);
    auto response = json_response(200, api::warnings_list_json(quarantined, stored.value_or("")));
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_clip(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto target = require_clip_of_asset(request, context);
    if (!target) return std::unexpected(target.error());
    const auto cuts = api::parse_user_clips(target->asset.user_clips);
    return json_response(200, api::clip_with_channels_json(*target->scene, target->index, cuts));
}

HandlerResult get_clip_facts(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto target = require_clip_of_asset(request, context);
    if (!target) return std::unexpected(target.error());
    const auto etag = data_etag(target->asset, fmt::format("facts-{}", target->index));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto response = json_response(200, api::clip_facts_json(*target->scene, target->index));
    add_caching(response, etag);
    return response;
}

HandlerResult get_tracks(const Request& request, Context& context)
{
    auto target = require_clip_of_asset(request, context);
    if (!target) return std::unexpected(target.error());
    QueryReader reader(request);
    auto nodes = read_nodes(reader, *target->scene);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto tracks = query_tracks(*target->scene, target->index, nodes);
    if (!tracks) return problem(tracks.error());
    return json_response(200, *tracks);
}

HandlerResult get_keys(const Request& request, Context& context)
{
    auto target = require_clip_of_asset(request, context);
    if (!target) return std::unexpected(target.error());
    QueryReader reader(request);
    api::KeysQuery query{.clip = target->index, .time = reader.number("t", -max_seconds, max_seconds)};
    if (query.time) query.time = std::clamp(*query.time, 0.0, target->clip().duration);
    if (!reader.texts("joint").empty()) {
        query.nodes.assign(target->scene->nodes.size(), false);
        for (const auto node : read_nodes(reader, *target->scene))
            query.nodes[node] = true;
    }
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto tracks = query.time ? target->clip().channels.size() : 0;
    if (tracks > max_listed_tracks)
        return problem(413, "too_many_values",
                       fmt::format("the clip has {} tracks, more than {}", tracks, max_listed_tracks));
    return json_response(200, api::keys_json(*target->scene, query));
}

HandlerResult get_pose(const Request& request, Context& context)
{
    auto target = require_posed_asset(request, context);
    if (!target) return std::unexpected(target.error());
    QueryReader reader(request);
    PoseQuery query{.selection = {.clip = target->motion.clip},
                    .times = read_times(reader, timing_of(*target->scene, target->motion)),
                    .layers = target->motion.layers};
    query.selection.nodes = read_nodes(reader, *target->scene);
    read_animation(reader); // read before
    reader.texts("attach");
    query.selection.space = reader
                                .choice<api::PoseSpace>("space", {{"local", api::PoseSpace::local},
                                                                  {"model", api::PoseSpace::model}})
                                .value_or(api::PoseSpace::local);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto accept = request.headers.find("Accept").value_or("");
    const bool packed =
        accept_quality(accept, "application/octet-stream") > accept_quality(accept, "application/json");
    const auto etag = poses_etag(target->asset, query, packed);
    if (auto same = not_modified(request, etag)) {
        same->headers.add("Vary", "Accept");
        return std::move(*same);
    }
    auto response = packed ? packed_pose_response(*target->scene, query, context)
                           : pose_response(*target->scene, query, context);
    if (!response) return response;
    response->headers.add("Vary", "Accept");
    add_caching(*response, etag);
    return response;
}

} // namespace vitrine::server
