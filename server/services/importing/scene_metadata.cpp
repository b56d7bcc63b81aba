#include "server/services/importing/scene_metadata.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <spdlog/spdlog.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/clip_lookup.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/preview/representative_pose.hpp"

namespace json = boost::json;

namespace vitrine::server {
namespace {

constexpr std::size_t clips_in_summary = 64;
constexpr std::size_t search_bytes = 256 << 10;
constexpr std::size_t poses_of_all_clips = 20'000;
constexpr std::size_t moments_at_once = 128; // per task on the render thread

Counts counts_of(const scene::Scene& scene)
{
    const auto object = api::counts_json(scene);
    const auto number = [&](const char* name) { return object.at(name).to_number<std::uint64_t>(); };
    return {number("meshes"), number("vertices"), number("polygons"),  number("triangles"),
            number("joints"), number("clips"),    number("materials"), number("images")};
}

json::array all_warnings(const scene::Scene& scene, std::span<const scene::Warning> more)
{
    auto warnings = api::warnings_json(scene);
    for (const auto& warning : more)
        warnings.push_back(
            json::object{{"code", warning.code}, {"message", warning.message}, {"where", warning.where}});
    return warnings;
}

json::object summary_json(const scene::Scene& scene, std::size_t warnings)
{
    json::array clips;
    for (std::uint32_t i = 0; i < std::min(scene.clips.size(), clips_in_summary); ++i) {
        const auto& clip = scene.clips[i];
        clips.push_back(json::object{{"id", scene::clip_id(i)},
                                     {"name", clip.name},
                                     {"duration", clip.duration},
                                     {"frameRate", clip.frame_rate}});
    }
    const auto rest = scene::rest_bounds_from_origin(scene);
    const auto shown = scene::find_representative_clip(scene);
    return {{"bounds", api::bounds_json(rest)},
            {"fileSpace", api::file_space_json(scene, rest)},
            {"clips", std::move(clips)},
            {"shownClip", shown == scene::none ? json::value(nullptr) : json::value(scene::clip_id(shown))},
            {"warnings", warnings}};
}

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
    for (std::size_t at = 0; at < times.size(); at += moments_at_once) {
        std::vector<render::Moment> moments;
        for (const double time : times.subspan(at, std::min(moments_at_once, times.size() - at)))
            moments.push_back({clip, time});
        auto boxes =
            from.renders.submit({RenderPriority::image, from.model}, [scene, moments](RenderDevice& device) {
                return device.bounds(scene, moments);
            });
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
        spdlog::warn("msg=\"bounds computed on the CPU\" failure={:?}", std::string_view(error.what()));
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

// Returns the bounds of one clip. `limit`: number of poses.
json::object clip_bounds_json(const SharedScene& scene, const scene::JointBoxes& boxes, std::uint32_t clip,
                              std::size_t limit, const BoundsSource& from)
{
    const auto times = scene::sample_times(scene->clips[clip], 30.0, limit);
    const auto exact = exact_bounds(scene, clip, times, from);
    auto conservative = conservative_over(*scene, boxes, clip, times);
    conservative.add(exact); // rounding differs between the device and the joint boxes
    return {{"clip", scene::clip_id(clip)},
            {"exact", api::bounds_json(exact)},
            {"conservative", api::bounds_json(conservative)}};
}

json::object clips_document(const scene::Scene& scene, std::span<const UserClip> user_clips)
{
    json::array items;
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
        items.push_back(describe_clip(scene, i, user_clips));
    return {{"items", std::move(items)}};
}

} // namespace

json::object describe_clip(const scene::Scene& scene, std::uint32_t clip,
                           std::span<const UserClip> user_clips)
{
    auto object = api::clip_json(scene, clip);
    const auto first = scene.clips.size() - std::min(user_clips.size(), scene.clips.size());
    if (clip < first) return object;
    const auto& user = user_clips[clip - first];
    object["cutFrom"] = json::object{{"clip", scene::clip_id(user.clip)},
                                     {"firstFrame", user.first_frame},
                                     {"lastFrame", user.last_frame}};
    return object;
}

Metadata describe(const scene::Scene& scene, std::span<const scene::Warning> more,
                  std::span<const UserClip> user_clips)
{
    Metadata found;
    found.format = scene.format;
    found.generator = scene.generator;
    found.counts = counts_of(scene);
    found.search = search_text(scene);
    const auto warnings = all_warnings(scene, more);
    found.summary = api::to_text(summary_json(scene, warnings.size()));
    found.facts = {{AssetDocument::skeleton, api::skeleton_text(scene)},
                   {AssetDocument::clips, api::to_text(clips_document(scene, user_clips))},
                   {AssetDocument::materials, api::materials_text(scene)},
                   {AssetDocument::warnings, api::to_text(warnings)},
                   {AssetDocument::variants, api::to_text(api::variants_json(scene))}};
    return found;
}

std::string describe_bounds(const SharedScene& scene, const BoundsSource& from,
                            const std::function<bool(double)>& report_progress)
{
    const auto count = static_cast<std::uint32_t>(scene->clips.size());
    const auto limit = std::max<std::size_t>(poses_of_all_clips / std::max(count, 1u), 2);
    const auto boxes = scene::joint_boxes(*scene);
    json::array clips;
    for (std::uint32_t clip = 0; clip < count; ++clip) {
        if (!report_progress(static_cast<double>(clip) / count)) return {};
        clips.push_back(clip_bounds_json(scene, boxes, clip, limit, from));
    }
    return api::to_text(json::object{{"static", api::bounds_json(scene::rest_bounds_from_origin(*scene))},
                                     {"clips", std::move(clips)}});
}

std::string describe_bounds_of_clips(std::string_view known, const SharedScene& scene, std::size_t first,
                                     const BoundsSource& from)
{
    auto fact = json::parse(known).as_object();
    auto& clips = fact.at("clips").as_array();
    clips.resize(std::min(clips.size(), first));
    const auto boxes = scene::joint_boxes(*scene);
    const auto limit =
        std::max<std::size_t>(poses_of_all_clips / std::max<std::size_t>(scene->clips.size(), 1), 2);
    for (auto clip = static_cast<std::uint32_t>(first); clip < scene->clips.size(); ++clip)
        clips.push_back(clip_bounds_json(scene, boxes, clip, limit, from));
    return api::to_text(fact);
}

} // namespace vitrine::server
