// Bounding boxes of the static pose and of clips: total, per frame, per joint, per mesh.
#include <algorithm>
#include <cmath>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/clip_lookup.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/sample_times_param.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::uint32_t bounds_code = 6;  // increment when the response to equal parameters changes
constexpr double max_vertex_frames = 2e9; // skinned vertices per response

enum class BoundsGrouping : std::uint8_t { clip, frame, joint, mesh };

struct ClipInterval {
    std::uint32_t clip = scene::none; // none: the static pose
    double from = 0.0;
    double to = 0.0;
};

// Returns the sample times of the clip inside the interval, and both ends of the interval.
std::vector<double> times_in(const scene::Scene& scene, const ClipInterval& range)
{
    std::vector<double> times{range.from};
    if (range.clip == scene::none) return times;
    for (double t : scene::sample_times(scene.clips[range.clip])) {
        if (t > range.from && t < range.to) times.push_back(t);
    }
    if (range.to > range.from) times.push_back(range.to);
    return times;
}

double vertices_drawn(const scene::Scene& scene)
{
    double count = 0.0;
    for (const auto& instance : scene::find_instances(scene)) {
        count += static_cast<double>(scene.meshes[instance.mesh].positions.size());
    }
    return count;
}

// Returns the pose relative to the model's center where the model is far from the origin, so that floats stay
// accurate.
scene::Pose far_pose(const scene::Scene& scene)
{
    scene::Pose pose;
    pose.origin = scene::rendering_origin(scene);
    return pose;
}

json::object frame_json(double time, const scene::OffsetBox& box)
{
    return {{"time", api::number(time)}, {"exact", api::bounds_json(box)}};
}

json::object per_clip(const scene::Scene& scene, const ClipInterval& range, bool frames)
{
    auto boxes = scene::joint_boxes(scene);
    scene::Aabb exact, conservative;
    json::array rows;
    auto pose = far_pose(scene);
    for (double time : times_in(scene, range)) {
        scene::sample_pose(scene, range.clip, time, pose);
        auto box = scene::pose_bounds(scene, pose);
        exact.add(box);
        conservative.add(scene::conservative_bounds(scene, boxes, pose));
        if (frames) rows.push_back(frame_json(time, {box, pose.origin}));
    }
    json::object object{{"exact", api::bounds_json({exact, pose.origin})},
                        {"conservative", api::bounds_json({conservative, pose.origin})}};
    if (frames) object["frames"] = std::move(rows);
    return object;
}

// Returns the frame bounds that the file declares; nothing is computed.
json::array stated_frames(const scene::Clip& clip, const ClipInterval& range)
{
    json::array rows;
    for (std::size_t i = 0; i < clip.declared_boxes.size(); ++i) {
        const double time = clip.frame_rate > 0.0 ? static_cast<double>(i) / clip.frame_rate : 0.0;
        if (time < range.from || time > range.to) continue;
        const auto& box = clip.declared_boxes[i];
        rows.push_back(json::object{{"time", api::number(time)},
                                    {"box", api::bounds_json(scene::Aabb{box.min, box.max})}});
    }
    return rows;
}

// Returns each joint's box over all instances that it moves.
json::object per_joint(const scene::Scene& scene, const ClipInterval& range)
{
    auto boxes = scene::joint_boxes(scene);
    std::vector<scene::Aabb> by_node(scene.nodes.size());
    auto pose = far_pose(scene);
    for (double time : times_in(scene, range)) {
        scene::sample_pose(scene, range.clip, time, pose);
        auto moved = scene::joint_bounds(scene, boxes, pose);
        for (const auto& instance : boxes.instances) {
            for (std::uint32_t i = 0; i < instance.palette_count; ++i) {
                bool joint = instance.skin != scene::none && i < scene.skins[instance.skin].joints.size();
                auto node = joint ? scene.skins[instance.skin].joints[i] : instance.node;
                by_node[scene::file_node(scene, node)].add(moved[instance.first_palette + i]);
            }
        }
    }
    json::array rows;
    for (std::uint32_t node = 0; node < by_node.size(); ++node) {
        if (by_node[node].empty()) continue;
        rows.push_back(json::object{{"node", node},
                                    {"name", scene.nodes[node].name},
                                    {"conservative", api::bounds_json({by_node[node], pose.origin})}});
    }
    return {{"joints", std::move(rows)}};
}

json::object per_mesh(const scene::Scene& scene, const ClipInterval& range)
{
    scene::Skinner skinner(scene);
    const auto& instances = skinner.instances();
    std::vector<scene::Aabb> by_instance(instances.size());
    auto pose = far_pose(scene);
    for (double time : times_in(scene, range)) {
        scene::sample_pose(scene, range.clip, time, pose);
        const auto meshes = skinner.skin_positions(pose);
        for (std::size_t i = 0; i < instances.size(); ++i)
            for (auto index : scene.meshes[instances[i].mesh].indices)
                by_instance[i].add(meshes[i].positions[index]);
    }
    json::array rows;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const auto node = scene::file_node(scene, instances[i].node);
        rows.push_back(json::object{{"node", node},
                                    {"mesh", instances[i].mesh},
                                    {"name", scene.nodes[node].name},
                                    {"exact", api::bounds_json({by_instance[i], pose.origin})}});
    }
    return {{"meshes", std::move(rows)}};
}

json::object compute(const scene::Scene& scene, const ClipInterval& range, BoundsGrouping per)
{
    auto object = per == BoundsGrouping::joint  ? per_joint(scene, range)
                  : per == BoundsGrouping::mesh ? per_mesh(scene, range)
                                                : per_clip(scene, range, per == BoundsGrouping::frame);
    if (range.clip == scene::none) {
        object["static"] = api::bounds_json(scene::rest_bounds_from_origin(scene));
        return object;
    }
    object["clip"] = scene::clip_id(range.clip);
    if (const auto& clip = scene.clips[range.clip];
        per == BoundsGrouping::frame && !clip.declared_boxes.empty())
        object["stated"] = stated_frames(clip, range);
    object["from"] = api::number(range.from);
    object["to"] = api::number(range.to);
    return object;
}

// Computed once, then read from the derived cache.
std::string cached_bounds(const AssetRecord& asset, const scene::Scene& scene, const ClipInterval& range,
                          BoundsGrouping per, Context& context)
{
    DerivedKey key{.source = asset.source,
                   .kind = "clip-bounds",
                   .parameters =
                       fmt::format("{} {} {} {}", range.clip, range.from, range.to, static_cast<int>(per)),
                   .code = bounds_code};
    if (auto found = context.services.derived.find(key)) {
        return std::string(reinterpret_cast<const char*>(found->data()), found->size());
    }
    auto text = api::to_text(compute(scene, range, per));
    context.services.derived.store(key, std::as_bytes(std::span(text)));
    return text;
}

ClipInterval read_range(QueryReader& reader, const scene::Scene& scene, std::uint32_t clip)
{
    double duration = scene.clips[clip].duration;
    ClipInterval range{
        .clip = clip, .from = reader.number("from", 0.0, duration).value_or(0.0), .to = duration};
    range.to = reader.number("to", 0.0, duration).value_or(duration);
    if (range.to < range.from) reader.refuse("to", "is before from");
    return range;
}

// Returns the bounds that the import computed.
HandlerResult stored_bounds(const AssetRecord& asset, Context& context)
{
    auto text = context.services.catalog.find_document(asset.id, asset.version, AssetDocument::bounds);
    if (text) return json_text_response(*text);
    return problem(
        ServiceError{Errc::not_ready, "not_imported", "", "The bounds are still being computed.", 1});
}

// Computes the bounds of the static pose.
HandlerResult computed_bounds(const AssetRecord& asset, BoundsGrouping per, Context& context)
{
    auto scene = find_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    return json_text_response(cached_bounds(asset, **scene, {}, per, context));
}

} // namespace

HandlerResult get_bounds(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto per = reader
                   .choice<BoundsGrouping>("per", {{"clip", BoundsGrouping::clip},
                                                   {"joint", BoundsGrouping::joint},
                                                   {"mesh", BoundsGrouping::mesh}})
                   .value_or(BoundsGrouping::clip);
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = document_etag(*asset, fmt::format("bounds-{}-{}", bounds_code, static_cast<int>(per)));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto answer =
        per == BoundsGrouping::clip ? stored_bounds(*asset, context) : computed_bounds(*asset, per, context);
    if (answer) add_caching(*answer, etag);
    return answer;
}

HandlerResult get_clip_bounds(const Request& request, Context& context)
{
    auto of = find_clip_scene(request, context);
    if (!of) return std::unexpected(of.error());
    const scene::Scene& scene = *of->scene;
    QueryReader reader(request);
    auto per = reader.choice<BoundsGrouping>("per", {{"clip", BoundsGrouping::clip},
                                                     {"frame", BoundsGrouping::frame},
                                                     {"joint", BoundsGrouping::joint},
                                                     {"mesh", BoundsGrouping::mesh}});
    auto range = read_range(reader, scene, of->index);
    if (auto refused = reader.finish()) return std::unexpected(*refused);
    auto etag =
        document_etag(of->asset, fmt::format("bounds-{}-{}-{}-{}-{}", bounds_code, range.clip, range.from,
                                             range.to, static_cast<int>(per.value_or(BoundsGrouping::clip))));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    double cost = vertices_drawn(scene) * static_cast<double>(times_in(scene, range).size());
    if (cost > max_vertex_frames)
        return problem(413, "too_much_work",
                       "The clip is too long for a model of this size; limit it with from and to.");
    auto response = json_text_response(
        cached_bounds(of->asset, scene, range, per.value_or(BoundsGrouping::clip), context));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
