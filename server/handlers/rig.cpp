// The rig as data: skeleton, clips, tracks, poses.
#include <algorithm>
#include <array>
#include <cstring>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/clip_lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/sample_times_param.hpp"
#include "server/services/importing/scene_metadata.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::uint64_t max_pose_nodes = 500'000;     // node times, as JSON
constexpr std::uint64_t max_packed_nodes = 4'000'000; // node times, packed
constexpr std::uint64_t max_track_values = 2'000'000; // floats, as JSON

// Returns a document that the import stored; with `wrap`, a list is returned as {"items": ...}.
HandlerResult document_response(const Request& request, Context& context, AssetDocument fact, bool wrap)
{
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, to_string(fact));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto text = context.services.catalog.find_document(asset->id, asset->version, fact);
    if (!text)
        return problem(ServiceError{Errc::not_ready, "not_imported", "", "This is not available yet.", 1});
    auto response = json_text_response(wrap ? "{\"items\":" + *text + ",\"next\":null}" : *text);
    add_caching(response, etag);
    return response;
}

// Reads nodes by exact name or index; all nodes by default.
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
        auto before = nodes.size();
        for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
            if (scene.nodes[i].name == name && !scene::is_helper(scene.nodes[i])) nodes.push_back(i);
        }
        auto index = parse_number(name);
        bool by_index = nodes.size() == before && index && *index >= 0 &&
                        *index < static_cast<double>(scene.nodes.size()) &&
                        name.find_first_not_of("0123456789") == name.npos &&
                        !scene::is_helper(scene.nodes[static_cast<std::uint32_t>(*index)]);
        if (by_index) nodes.push_back(static_cast<std::uint32_t>(*index));
        if (nodes.size() == before) reader.refuse("joint", "is not a joint or node of this asset: " + name);
    }
    return nodes;
}

enum class PoseSpace : std::uint8_t { local, model };

glm::mat4 node_matrix(const scene::Scene& scene, const scene::Pose& pose, std::uint32_t node, PoseSpace space)
{
    if (space == PoseSpace::model) return pose.model[node];
    return scene::file_local_matrix(scene, &pose, node);
}

scene::Trs node_trs(const scene::Scene& scene, const scene::Pose& pose, std::uint32_t node, PoseSpace space)
{
    return space == PoseSpace::local ? scene::file_local(scene, &pose, node)
                                     : scene::decompose(pose.model[node]);
}

json::object node_json(const scene::Scene& scene, const scene::Pose& pose, std::uint32_t index,
                       std::uint32_t parent, PoseSpace space)
{
    const auto& node = scene.nodes[index];
    json::object object = api::trs_json(node_trs(scene, pose, index, space));
    object["node"] = index;
    object["name"] = node.name;
    object["parent"] = parent == scene::none ? json::value(nullptr) : json::value(parent);
    object["matrix"] = api::matrix_json(node_matrix(scene, pose, index, space));
    return object;
}

void append_floats(std::string& out, std::initializer_list<const float*> values,
                   std::initializer_list<std::size_t> counts)
{
    auto count = counts.begin();
    for (const float* value : values)
        out.append(reinterpret_cast<const char*>(value), *count++ * sizeof(float));
}

// local: translation (3), rotation x y z w, scale (3); model: 4x4 matrix (16), column-major.
void append_node(std::string& out, const scene::Scene& scene, const scene::Pose& pose, std::uint32_t node,
                 PoseSpace space)
{
    if (space == PoseSpace::model) return append_floats(out, {&pose.model[node][0][0]}, {16});
    auto trs = node_trs(scene, pose, node, space);
    const float rotation[4] = {trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w};
    append_floats(out, {&trs.translation.x, rotation, &trs.scale.x}, {3, 4, 3});
}

struct PoseQuery {
    std::vector<double> times;
    std::vector<std::uint32_t> nodes;
    PoseSpace space = PoseSpace::local;
};

Response packed_poses(const ClipOfAsset& of, const PoseQuery& query)
{
    std::string bytes;
    scene::Pose pose;
    for (double time : query.times) {
        scene::sample_pose(*of.scene, of.index, time, pose);
        for (auto node : query.nodes)
            append_node(bytes, *of.scene, pose, node, query.space);
    }
    auto response = text_response(200, "application/octet-stream", std::move(bytes));
    response.headers.add("X-Vitrine-Times", std::to_string(query.times.size()));
    response.headers.add("X-Vitrine-Nodes", std::to_string(query.nodes.size()));
    response.headers.add("X-Vitrine-Floats", query.space == PoseSpace::local ? "10" : "16");
    return response;
}

Response pose_objects(const ClipOfAsset& of, const PoseQuery& query)
{
    json::array times, poses;
    scene::Pose pose;
    const auto parents = scene::file_parents(*of.scene);
    for (double time : query.times) {
        scene::sample_pose(*of.scene, of.index, time, pose);
        json::array nodes;
        for (auto node : query.nodes)
            nodes.push_back(node_json(*of.scene, pose, node, parents[node], query.space));
        times.push_back(api::number(time));
        poses.push_back(json::object{{"time", api::number(time)}, {"nodes", std::move(nodes)}});
    }
    return json_response(200, json::object{{"clip", scene::clip_id(of.index)},
                                           {"space", query.space == PoseSpace::local ? "local" : "model"},
                                           {"times", std::move(times)},
                                           {"poses", std::move(poses)}});
}

std::string_view path_name(scene::Path path)
{
    switch (path) {
    case scene::Path::translation: return "translation";
    case scene::Path::rotation: return "rotation";
    case scene::Path::scale: return "scale";
    case scene::Path::weights: return "weights";
    case scene::Path::vertex_frame: return "vertexFrame";
    }
    return "?";
}

std::string_view interpolation_name(scene::Interpolation interpolation)
{
    if (interpolation == scene::Interpolation::step) return "step";
    return interpolation == scene::Interpolation::linear ? "linear" : "cubic";
}

// repeats: null for infinite repetition.
json::object extrapolation_json(const scene::Extrapolation& how)
{
    constexpr std::array names{"hold", "repeat", "repeatOffset", "mirror", "slope"};
    return {{"mode", names[static_cast<std::size_t>(how.mode)]},
            {"repeats", how.repeats == scene::none ? json::value(nullptr) : json::value(how.repeats)}};
}

// values: one list per key; a cubic key has in-tangent, value, out-tangent.
json::object track_json(const scene::Scene& scene, const scene::Channel& channel, std::uint32_t node)
{
    json::array times, values;
    std::size_t width = channel.times.empty() ? 0 : channel.values.size() / channel.times.size();
    for (std::size_t key = 0; key < channel.times.size(); ++key) {
        json::array value;
        for (std::size_t i = 0; i < width; ++i)
            value.push_back(api::number(channel.values[key * width + i]));
        times.push_back(api::number(channel.times[key]));
        values.push_back(std::move(value));
    }
    return {{"node", node},
            {"name", scene.nodes[node].name},
            {"path", json::string(path_name(channel.path))},
            {"interpolation", json::string(interpolation_name(channel.interpolation))},
            {"before", extrapolation_json(channel.before)},
            {"after", extrapolation_json(channel.after)},
            {"times", std::move(times)},
            {"values", std::move(values)}};
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

HandlerResult get_materials(const Request& request, Context& context)
{
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, to_string(AssetDocument::materials));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    const auto& catalog = context.services.catalog;
    const auto materials = catalog.find_document(asset->id, asset->version, AssetDocument::materials);
    const auto variants = catalog.find_document(asset->id, asset->version, AssetDocument::variants);
    if (!materials)
        return problem(ServiceError{Errc::not_ready, "not_imported", "", "This is not available yet.", 1});
    auto response = json_text_response("{\"items\":" + *materials +
                                       ",\"next\":null,\"variants\":" + variants.value_or("[]") + "}");
    add_caching(response, etag);
    return response;
}

// Returns the stored warnings after those of the running process, which a restart forgets: not cached.
HandlerResult get_warnings(const Request& request, Context& context)
{
    const auto asset = find_imported(request, context);
    if (!asset || !context.services.renders.quarantined(asset->source))
        return document_response(request, context, AssetDocument::warnings, true);
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    json::array items{
        json::object{{"code", "render_quarantined"}, {"message", ModelQuarantined().what()}, {"where", ""}}};
    if (const auto known =
            context.services.catalog.find_document(asset->id, asset->version, AssetDocument::warnings))
        for (auto& warning : json::parse(*known).as_array())
            items.push_back(std::move(warning));
    auto response = json_response(200, json::object{{"items", std::move(items)}, {"next", nullptr}});
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_clip(const Request& request, Context& context)
{
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    auto of = find_clip_scene(request, context);
    if (!of) return std::unexpected(of.error());
    auto object = describe_clip(*of->scene, of->index, parse_user_clips(of->asset.user_clips));
    object["tracks"] = api::channels_json(*of->scene, of->index);
    return json_response(200, object);
}

HandlerResult get_tracks(const Request& request, Context& context)
{
    auto of = find_clip_scene(request, context);
    if (!of) return std::unexpected(of.error());
    QueryReader reader(request);
    auto nodes = read_nodes(reader, *of->scene);
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    std::vector<bool> selected(of->scene->nodes.size());
    for (auto node : nodes)
        selected[node] = true;
    json::array tracks;
    std::uint64_t values = 0;
    for (const auto& channel : of->clip().channels) {
        const auto node = scene::channel_node(*of->scene, channel);
        if (node == scene::none || !selected[node]) continue;
        values += channel.values.size();
        if (values > max_track_values)
            return problem(413, "too_many_values",
                           "These tracks have more than 2,000,000 numbers; select joints with joint=.");
        tracks.push_back(track_json(*of->scene, channel, node));
    }
    return json_response(200,
                         json::object{{"clip", scene::clip_id(of->index)}, {"tracks", std::move(tracks)}});
}

HandlerResult get_pose(const Request& request, Context& context)
{
    auto of = find_clip_scene(request, context);
    if (!of) return std::unexpected(of.error());
    QueryReader reader(request);
    PoseQuery query{.times = read_times(reader, of->clip()), .nodes = read_nodes(reader, *of->scene)};
    query.space =
        reader.choice<PoseSpace>("space", {{"local", PoseSpace::local}, {"model", PoseSpace::model}})
            .value_or(PoseSpace::local);
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    bool packed = request.headers.find("Accept").value_or("").find("application/octet-stream") !=
                  std::string_view::npos;
    auto limit = (packed ? max_packed_nodes : max_pose_nodes) / query.times.size();
    if (query.nodes.size() > limit)
        return problem(413, "too_many_poses",
                       "The response would be too large; request fewer times or select joints.");
    auto response = packed ? packed_poses(*of, query) : pose_objects(*of, query);
    response.headers.add("Vary", "Accept");
    return response;
}

} // namespace vitrine::server
