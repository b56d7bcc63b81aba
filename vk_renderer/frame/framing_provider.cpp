#include "vk_renderer/frame/framing_provider.hpp"

#include <algorithm>
#include <utility>

#include "vk_renderer/camera/framing_bounds.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t max_kept_layers = 64; // per scene

// Forgets the boxes of layers when there are too many of them.
void limit_layers(std::map<MotionKey, scene::Aabb>& boxes)
{
    const auto is_layers = [](const auto& box) { return !box.first.layers.empty(); };
    if (static_cast<std::size_t>(std::ranges::count_if(boxes, is_layers)) >= max_kept_layers)
        std::erase_if(boxes, is_layers);
}

// Returns the box that the camera frames when the skeleton is shown.
scene::Aabb with_skeleton(const Drawable& drawable, const scene::Aabb& model,
                          std::span<const ClipTime> clip_times)
{
    auto& joint_bounds = drawable.gpu->joint_bounds;
    scene::Aabb joints;
    for (const auto& clip_time : clip_times) {
        limit_layers(joint_bounds);
        const auto [box, is_new] = joint_bounds.try_emplace(motion_key(clip_time));
        if (is_new) box->second = joint_box(*drawable.scene, clip_time, drawable.gpu->packed.origin);
        joints.add(box->second);
    }
    return include_joints(model, joints);
}

} // namespace

Framing FramingProvider::compute_framing(const Drawable& drawable, const View& view,
                                         std::span<const ClipTime> clip_times)
{
    if (view.framing) {
        const auto framing = translated(*view.framing, view.origin - drawable.gpu->packed.origin);
        return {framing, framing};
    }
    scene::Aabb all;
    for (std::size_t i = 0; i < clip_times.size(); ++i)
        if (i == 0 || !clip_times[i].has_motion_of(clip_times[i - 1]))
            all.add(over_motion(drawable, clip_times[i]));
    const bool shows_joints = view.overlays.skeleton || view.overlays.names;
    const auto framed = shows_joints && !all.empty() ? with_skeleton(drawable, all, clip_times) : all;
    return {over_crowd(view, all, all), over_crowd(view, all, framed)};
}

const std::optional<scene::Outliers>& FramingProvider::find_outliers(const Drawable& drawable)
{
    auto& outliers = drawable.gpu->outliers;
    if (!outliers) outliers = scene::find_outliers(*drawable.scene);
    return *outliers;
}

std::vector<ClipTime> FramingProvider::times_of(const Drawable& drawable, const ClipTime& motion) const
{
    const auto& scene = *drawable.scene;
    if (motion.is_static()) return {ClipTime{}};
    if (!motion.layers && motion.clip >= scene.clips.size()) throw RenderError("the scene has no such clip");
    const auto vertices = drawable.gpu->vertex_count();
    const bool software = device_.traits.software;
    const auto times = motion.layers ? framing_times(scene, *motion.layers, vertices, software)
                                     : framing_times(scene.clips[motion.clip], vertices, software);
    std::vector<ClipTime> clip_times;
    for (const double time : times)
        clip_times.push_back({motion.clip, time, motion.layers});
    return clip_times;
}

void FramingProvider::measure(std::span<const FramedMotion> motions)
{
    std::vector<Measurement> measurements;
    for (const auto& [drawable, motion] : motions) {
        const auto is_this = [&](const Measurement& one) {
            return one.drawable.gpu == drawable.gpu && one.clip_times.front().has_motion_of(motion);
        };
        auto& clip_bounds = drawable.gpu->clip_bounds;
        const auto key = motion_key(motion);
        if (clip_bounds.contains(key) || std::ranges::any_of(measurements, is_this)) continue;
        limit_layers(clip_bounds);
        auto clip_times = times_of(drawable, motion);
        if (const auto& outliers = find_outliers(drawable))
            clip_bounds[key] =
                bounds_without_outliers(*drawable.scene, *outliers, clip_times, drawable.gpu->packed.origin);
        else
            measurements.push_back({drawable, std::move(clip_times), {}});
    }
    batches_.measure(measurements);
    for (const auto& [drawable, clip_times, boxes] : measurements) {
        scene::Aabb all;
        for (const auto& box : boxes)
            all.add(box);
        drawable.gpu->clip_bounds[motion_key(clip_times.front())] = all;
    }
}

scene::Aabb FramingProvider::over_motion(const Drawable& drawable, const ClipTime& motion)
{
    const auto& clip_bounds = drawable.gpu->clip_bounds;
    const auto key = motion_key(motion);
    if (const auto found = clip_bounds.find(key); found != clip_bounds.end()) return found->second;
    const FramedMotion framed{drawable, motion};
    measure({&framed, 1});
    return clip_bounds.at(key);
}

} // namespace vitrine::render
