#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "api/bounds_json.hpp"
#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t bounds_revision = 7; // increment when the result of equal queries changes
constexpr double max_vertex_frames = 2e9;    // skinned vertices per query

// Returns the sample times of the clip inside the interval, and both ends of the interval.
std::vector<double> times_in(const scene::Scene& scene, const BoundsQuery& query)
{
    std::vector<double> times{query.from};
    if (query.clip == scene::none) return times;
    for (double t : scene::sample_times(scene.clips[query.clip])) {
        if (t > query.from && t < query.to) times.push_back(t);
    }
    if (query.to > query.from) times.push_back(query.to);
    return times;
}

// Returns the number of vertices of all instances.
double vertices_drawn(const scene::Scene& scene)
{
    double count = 0.0;
    for (const auto& instance : scene::find_instances(scene))
        count += static_cast<double>(scene.meshes[instance.mesh].positions.size());
    return count;
}

// Calls visit(time, pose) for each sample time. The poses are relative to the model's center where the model
// is far from the origin, so that floats stay accurate. Returns that origin.
template <class Visit>
glm::dvec3 visit_poses(const scene::Scene& scene, const BoundsQuery& query, const Visit& visit)
{
    const auto origin = scene::rendering_origin(scene);
    const auto times = times_in(scene, query);
    scene::visit_poses(scene, query.clip, times, origin,
                       [&](std::size_t i, const scene::Pose& pose) { visit(times[i], pose); });
    return origin;
}

void add_totals(const scene::Scene& scene, const BoundsQuery& query, api::BoundsReport& report)
{
    const auto boxes = scene::joint_boxes(scene);
    scene::Aabb exact, conservative;
    if (query.per == BoundsGrouping::frame) report.frames.emplace();
    const auto origin = visit_poses(scene, query, [&](double time, const scene::Pose& pose) {
        const auto box = scene::pose_bounds(scene, pose);
        exact.add(box);
        conservative.add(scene::conservative_bounds(scene, boxes, pose));
        if (report.frames) report.frames->push_back({time, {box, pose.origin}});
    });
    report.total = {.exact = {exact, origin}, .conservative = {conservative, origin}};
}

// Adds the frame bounds that the file declares; nothing is computed.
void add_declared(const scene::Clip& clip, const BoundsQuery& query, api::BoundsReport& report)
{
    if (query.per != BoundsGrouping::frame || clip.declared_boxes.empty()) return;
    report.declared.emplace();
    for (std::size_t i = 0; i < clip.declared_boxes.size(); ++i) {
        const double time = clip.frame_rate > 0.0 ? static_cast<double>(i) / clip.frame_rate : 0.0;
        if (time < query.from || time > query.to) continue;
        const auto& box = clip.declared_boxes[i];
        report.declared->push_back({time, {box.min, box.max}});
    }
}

// Returns the file node that moves an entry of an instance's joint palette.
std::uint32_t palette_node(const scene::Scene& scene, const scene::Instance& instance, std::uint32_t entry)
{
    const bool joint = instance.skin != scene::none && entry < scene.skins[instance.skin].joints.size();
    return scene::file_node(scene, joint ? scene.skins[instance.skin].joints[entry] : instance.node);
}

// Adds each joint's box over all instances that it moves, and the way of moving nodes that move none.
void add_joints(const scene::Scene& scene, const BoundsQuery& query, api::BoundsReport& report)
{
    const auto boxes = scene::joint_boxes(scene);
    const auto moving = api::moving_nodes(scene);
    std::vector<scene::Aabb> by_node(scene.nodes.size());
    const auto origin = visit_poses(scene, query, [&](double, const scene::Pose& pose) {
        for (const auto node : moving)
            if (scene.nodes[node].mesh == scene::none) by_node[node].add(glm::vec3(pose.model[node][3]));
        const auto moved = scene::joint_bounds(scene, boxes, pose);
        for (const auto& instance : boxes.instances)
            for (std::uint32_t i = 0; i < instance.palette_count; ++i)
                by_node[palette_node(scene, instance, i)].add(moved[instance.first_palette + i]);
    });
    report.joints.emplace();
    for (std::uint32_t node = 0; node < by_node.size(); ++node)
        if (!by_node[node].empty()) report.joints->push_back({node, {by_node[node], origin}});
}

void add_instances(const scene::Scene& scene, const BoundsQuery& query, api::BoundsReport& report)
{
    scene::Skinner skinner(scene);
    const auto& instances = skinner.instances();
    std::vector<scene::Aabb> by_instance(instances.size());
    const auto origin = visit_poses(scene, query, [&](double, const scene::Pose& pose) {
        const auto meshes = skinner.skin_positions(pose);
        for (std::size_t i = 0; i < instances.size(); ++i)
            for (auto index : scene.meshes[instances[i].mesh].indices)
                by_instance[i].add(meshes[i].positions[index]);
    });
    report.instances.emplace();
    for (std::size_t i = 0; i < instances.size(); ++i)
        report.instances->push_back({.node = scene::file_node(scene, instances[i].node),
                                     .mesh = instances[i].mesh,
                                     .exact = {by_instance[i], origin}});
}

api::BoundsReport compute(const scene::Scene& scene, const BoundsQuery& query)
{
    api::BoundsReport report{.clip = query.clip, .from = query.from, .to = query.to, .static_pose = {}};
    if (query.per == BoundsGrouping::joint)
        add_joints(scene, query, report);
    else if (query.per == BoundsGrouping::mesh)
        add_instances(scene, query, report);
    else
        add_totals(scene, query, report);
    if (query.clip == scene::none)
        report.static_pose = scene::static_bounds_from_origin(scene);
    else
        add_declared(scene.clips[query.clip], query, report);
    return report;
}

} // namespace

std::string bounds_etag(const AssetRecord& asset, const BoundsQuery& query)
{
    const auto per = static_cast<int>(query.per);
    if (query.clip == scene::none) return data_etag(asset, fmt::format("bounds-{}-{}", bounds_revision, per));
    return data_etag(
        asset, fmt::format("bounds-{}-{}-{}-{}-{}", bounds_revision, query.clip, query.from, query.to, per));
}

Result<std::string> query_bounds(DerivedCache& derived, const AssetRecord& asset, const scene::Scene& scene,
                                 const BoundsQuery& query)
{
    if (vertices_drawn(scene) * static_cast<double>(times_in(scene, query).size()) > max_vertex_frames)
        return make_error(Errc::too_large, "too_much_work",
                          "The clip is too long for a model of this size; limit it with from and to.");
    const DerivedKey key{.content_hash = asset.content_hash,
                         .kind = "clip-bounds",
                         .parameters = fmt::format("{} {} {} {} {}", query.clip, query.from, query.to,
                                                   static_cast<int>(query.per), api::loader_revision),
                         .revision = bounds_revision};
    if (auto found = derived.find(key))
        return std::string(reinterpret_cast<const char*>(found->data()), found->size());
    auto text = api::to_text(api::to_json(scene, compute(scene, query)));
    derived.store(key, std::as_bytes(std::span(text)));
    return text;
}

} // namespace vitrine::server
