#include "vk_renderer/frame/framing_provider.hpp"

#include <algorithm>
#include <utility>

#include "vk_renderer/camera/framing_bounds.hpp"

namespace vitrine::render {
namespace {

// Returns the box that the camera frames when the skeleton is shown.
scene::Aabb with_skeleton(const Drawable& drawable, const scene::Aabb& model,
                          std::span<const ClipTime> clip_times)
{
    auto& joint_bounds = drawable.gpu->joint_bounds;
    scene::Aabb joints;
    for (const auto& clip_time : clip_times) {
        const auto [box, is_new] = joint_bounds.try_emplace(clip_time.clip);
        if (is_new) box->second = joint_box(*drawable.scene, clip_time.clip, drawable.gpu->packed.origin);
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
    std::uint32_t last = scene::none;
    for (std::size_t i = 0; i < clip_times.size(); ++i)
        if (i == 0 || clip_times[i].clip != last) all.add(over_clip(drawable, last = clip_times[i].clip));
    const bool shows_joints = view.overlays.skeleton || view.overlays.names;
    return {all, shows_joints && !all.empty() ? with_skeleton(drawable, all, clip_times) : all};
}

const std::optional<scene::Outliers>& FramingProvider::find_outliers(const Drawable& drawable)
{
    auto& outliers = drawable.gpu->outliers;
    if (!outliers) outliers = scene::find_outliers(*drawable.scene);
    return *outliers;
}

std::vector<ClipTime> FramingProvider::times_of(const Drawable& drawable, std::uint32_t clip) const
{
    if (clip == scene::none) return {ClipTime{}};
    if (clip >= drawable.scene->clips.size()) throw RenderError("the scene has no such clip");
    std::vector<ClipTime> clip_times;
    for (const double time :
         framing_times(drawable.scene->clips[clip], drawable.gpu->vertex_count(), device_.traits.software))
        clip_times.push_back({clip, time});
    return clip_times;
}

void FramingProvider::measure(std::span<const FramedClip> clips)
{
    std::vector<Measurement> measurements;
    for (const auto& [drawable, clip] : clips) {
        const auto is_this = [&](const Measurement& one) {
            return one.drawable.gpu == drawable.gpu && one.clip_times.front().clip == clip;
        };
        auto& clip_bounds = drawable.gpu->clip_bounds;
        if (clip_bounds.contains(clip) || std::ranges::any_of(measurements, is_this)) continue;
        auto clip_times = times_of(drawable, clip);
        if (const auto& outliers = find_outliers(drawable))
            clip_bounds[clip] =
                bounds_without_outliers(*drawable.scene, *outliers, clip_times, drawable.gpu->packed.origin);
        else
            measurements.push_back({drawable, std::move(clip_times), {}});
    }
    batches_.measure(measurements);
    for (const auto& [drawable, clip_times, boxes] : measurements) {
        scene::Aabb all;
        for (const auto& box : boxes)
            all.add(box);
        drawable.gpu->clip_bounds[clip_times.front().clip] = all;
    }
}

scene::Aabb FramingProvider::over_clip(const Drawable& drawable, std::uint32_t clip)
{
    const auto& clip_bounds = drawable.gpu->clip_bounds;
    if (const auto found = clip_bounds.find(clip); found != clip_bounds.end()) return found->second;
    const FramedClip framed{drawable, clip};
    measure({&framed, 1});
    return clip_bounds.at(clip);
}

} // namespace vitrine::render
