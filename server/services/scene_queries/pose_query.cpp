#include <algorithm>

#include "api/scene_json.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t max_json_poses = 500'000;     // nodes times times
constexpr std::uint64_t max_packed_poses = 4'000'000; // nodes times times
constexpr std::uint64_t max_track_values = 2'000'000; // floats, as JSON

Result<void> check_size(const PoseQuery& query, std::uint64_t limit)
{
    if (query.selection.nodes.size() <= limit / std::max<std::size_t>(query.times.size(), 1)) return {};
    return make_error(Errc::too_large, "too_many_poses",
                      "The response would be too large; request fewer times or select joints.");
}

template <class Visit>
void visit_times(const scene::Scene& scene, const PoseQuery& query, const Visit& visit)
{
    if (query.layers) {
        scene::LayerSampler sampler;
        scene::Pose pose;
        for (const double time : query.times) {
            sampler.sample(scene, *query.layers, time, pose);
            visit(time, pose);
        }
        return;
    }
    scene::visit_poses(scene, query.selection.clip, query.times, glm::dvec3(0.0),
                       [&](std::size_t i, const scene::Pose& pose) { visit(query.times[i], pose); });
}

} // namespace

Result<void> write_poses(const scene::Scene& scene, const PoseQuery& query, const ContentSink& sink)
{
    if (auto fits = check_size(query, max_json_poses); !fits) return fits;
    api::PosesWriter writer(scene, query.selection, query.times, sink);
    visit_times(scene, query, [&](double time, const scene::Pose& pose) { writer.add(time, pose); });
    writer.finish();
    return {};
}

Result<void> write_packed_poses(const scene::Scene& scene, const PoseQuery& query, const ContentSink& sink)
{
    if (auto fits = check_size(query, max_packed_poses); !fits) return fits;
    std::string bytes;
    visit_times(scene, query, [&](double, const scene::Pose& pose) {
        bytes.clear();
        api::append_packed_pose(bytes, scene, pose, query.selection);
        sink(bytes);
    });
    return {};
}

Result<boost::json::object> query_tracks(const scene::Scene& scene, std::uint32_t clip,
                                         const std::vector<std::uint32_t>& nodes)
{
    std::vector<bool> selected(scene.nodes.size());
    for (const auto node : nodes)
        selected[node] = true;
    std::uint64_t values = 0;
    for (const auto& channel : scene.clips[clip].channels)
        if (const auto node = scene::channel_node(scene, channel); node != scene::none && selected[node])
            values += channel.values.size();
    if (values > max_track_values)
        return make_error(Errc::too_large, "too_many_values",
                          "These tracks have more than 2,000,000 numbers; select joints with joint=.");
    return api::tracks_json(scene, clip, selected);
}

} // namespace vitrine::server
