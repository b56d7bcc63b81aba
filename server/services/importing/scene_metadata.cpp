#include "server/services/importing/scene_metadata.hpp"

#include <algorithm>

#include <spdlog/spdlog.h>

#include "api/bounds_json.hpp"
#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/representative_pose.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t search_bytes = 256 << 10;
constexpr std::size_t max_sampled_poses = 20'000;
constexpr std::size_t pose_batch_size = 128; // per task on the render thread

// Returns the names of joints, clips, materials and material variants, one per line.
std::string search_text(const scene::Scene& scene)
{
    std::string text;
    const auto add = [&](const std::string& name) {
        if (!name.empty() && text.size() + name.size() < search_bytes) text += name + "\n";
    };
    for (const auto& clip : scene.clips)
        add(clip.name);
    for (const auto& material : scene.materials)
        add(material.name);
    for (const auto& variant : scene.variants)
        add(variant);
    for (const auto node : api::joint_nodes(scene))
        add(scene.nodes[node].name);
    return text;
}

scene::Aabb exact_on_device(const SharedScene& scene, std::uint32_t clip, std::span<const double> times,
                            const BoundsSource& from)
{
    scene::Aabb all;
    for (std::size_t at = 0; at < times.size(); at += pose_batch_size) {
        std::vector<render::ClipTime> clip_times;
        for (const double time : times.subspan(at, std::min(pose_batch_size, times.size() - at)))
            clip_times.push_back({clip, time});
        auto boxes = from.renders.submit(
            {RenderPriority::image, from.content_hash},
            [scene, clip_times](RenderDevice& device) { return device.bounds(scene, clip_times); });
        if (!boxes) throw render::RenderError(boxes.error().detail);
        if (boxes->wait_for(render_timeout) != std::future_status::ready)
            throw render::RenderError("the renderer does not respond");
        for (const auto& box : boxes->get())
            all.add(box);
    }
    return all;
}

scene::Aabb exact_on_cpu(const scene::Scene& scene, std::uint32_t clip, std::span<const double> times)
{
    scene::Aabb all;
    scene::Pose pose;
    for (const double time : times) {
        scene::sample_pose(scene, clip, time, pose);
        all.add(scene::pose_bounds(scene, pose));
    }
    return all;
}

scene::Aabb exact_bounds(const SharedScene& scene, std::uint32_t clip, std::span<const double> times,
                         const BoundsSource& from)
{
    try {
        return exact_on_device(scene, clip, times, from);
    } catch (const std::exception& error) { // RenderError, DeviceLost: compute on the CPU instead
        spdlog::warn("msg=\"bounds computed on the CPU\" error={:?}", std::string_view(error.what()));
        return exact_on_cpu(*scene, clip, times);
    }
}

scene::Aabb conservative_over(const scene::Scene& scene, const scene::JointBoxes& boxes, std::uint32_t clip,
                              std::span<const double> times)
{
    scene::Aabb all;
    scene::Pose pose;
    for (const double time : times) {
        scene::sample_pose(scene, clip, time, pose);
        all.add(scene::conservative_bounds(scene, boxes, pose));
    }
    return all;
}

// `limit`: number of poses.
api::ClipBoxes bounds_of(const SharedScene& scene, const scene::JointBoxes& boxes, std::uint32_t clip,
                         std::size_t limit, const BoundsSource& from)
{
    const auto times = scene::sample_times(scene->clips[clip], 30.0, limit);
    const auto exact = exact_bounds(scene, clip, times, from);
    auto conservative = conservative_over(*scene, boxes, clip, times);
    conservative.add(exact); // rounding differs between the device and the joint boxes
    return {.clip = clip, .exact = exact, .conservative = conservative};
}

std::size_t poses_per_clip(const scene::Scene& scene)
{
    return std::max<std::size_t>(max_sampled_poses / std::max<std::size_t>(scene.clips.size(), 1), 2);
}

} // namespace

Metadata describe(const scene::Scene& scene, std::span<const scene::Warning> more,
                  std::span<const api::UserClip> user_clips)
{
    Metadata found;
    found.format = scene.format;
    found.generator = scene.generator;
    found.counts = api::count_contents(scene);
    found.search = search_text(scene);
    auto warnings = scene.warnings;
    warnings.insert(warnings.end(), more.begin(), more.end());
    found.summary =
        api::to_text(api::summary_json(scene, scene::find_representative_clip(scene), warnings.size()));
    found.documents = {{AssetDocument::skeleton, api::skeleton_text(scene)},
                       {AssetDocument::clips, api::clips_text(scene, user_clips)},
                       {AssetDocument::materials, api::materials_text(scene)},
                       {AssetDocument::warnings, api::to_text(api::warnings_json(warnings))},
                       {AssetDocument::variants, api::to_text(api::variants_json(scene))}};
    return found;
}

std::string describe_bounds(const SharedScene& scene, const BoundsSource& from,
                            const std::function<bool(double)>& report_progress)
{
    const auto count = static_cast<std::uint32_t>(scene->clips.size());
    const auto limit = poses_per_clip(*scene);
    const auto boxes = scene::joint_boxes(*scene);
    std::vector<api::ClipBoxes> clips;
    for (std::uint32_t clip = 0; clip < count; ++clip) {
        if (!report_progress(static_cast<double>(clip) / count)) return {};
        clips.push_back(bounds_of(scene, boxes, clip, limit, from));
    }
    return api::bounds_text(scene::static_bounds_from_origin(*scene), clips);
}

std::string describe_bounds_of_clips(std::string_view known, const SharedScene& scene, std::size_t first,
                                     const BoundsSource& from)
{
    const auto limit = poses_per_clip(*scene);
    const auto boxes = scene::joint_boxes(*scene);
    std::vector<api::ClipBoxes> clips;
    for (auto clip = static_cast<std::uint32_t>(first); clip < scene->clips.size(); ++clip)
        clips.push_back(bounds_of(scene, boxes, clip, limit, from));
    return api::replace_clip_bounds(known, first, clips);
}

} // namespace vitrine::server
