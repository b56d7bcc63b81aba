#include "vk_renderer/frame/framing_provider.hpp"

#include "vk_renderer/camera/framing_bounds.hpp"

namespace vitrine::render {
namespace {

// What a camera sees that shows the skeleton too.
scene::Aabb with_skeleton(const Drawable& drawable, const scene::Aabb& model, std::span<const Moment> moments)
{
    auto& known = drawable.gpu->joint_bounds;
    scene::Aabb joints;
    for (const auto& moment : moments) {
        const auto [box, is_new] = known.try_emplace(moment.clip);
        if (is_new) box->second = joint_box(*drawable.scene, moment.clip, drawable.gpu->packed.origin);
        joints.add(box->second);
    }
    return with_joints(model, joints);
}

} // namespace

Framing FramingProvider::of(const Drawable& drawable, const View& view, std::span<const Moment> moments)
{
    if (view.framing) {
        const auto said = moved(*view.framing, view.origin - drawable.gpu->packed.origin);
        return {said, said};
    }
    scene::Aabb all;
    std::uint32_t last = scene::none;
    for (std::size_t i = 0; i < moments.size(); ++i)
        if (i == 0 || moments[i].clip != last) all.add(over_clip(drawable, last = moments[i].clip));
    const bool shows_joints = view.overlays.skeleton || view.overlays.names;
    return {all, shows_joints && !all.empty() ? with_skeleton(drawable, all, moments) : all};
}

const std::optional<scene::Outliers>& FramingProvider::outliers_of(const Drawable& drawable)
{
    auto& known = drawable.gpu->outliers;
    if (!known) known = scene::find_outliers(*drawable.scene);
    return *known;
}

scene::Aabb FramingProvider::over_clip(const Drawable& drawable, std::uint32_t clip)
{
    auto& known = drawable.gpu->clip_bounds;
    if (const auto found = known.find(clip); found != known.end()) return found->second;
    std::vector<Moment> moments;
    if (clip == scene::none)
        moments.push_back({});
    else if (clip >= drawable.scene->clips.size())
        throw RenderError("the scene has no such clip");
    else
        for (const double time : framing_times(drawable.scene->clips[clip], drawable.gpu->vertex_count(),
                                               device_.traits.software))
            moments.push_back({clip, time});
    if (const auto& outliers = outliers_of(drawable))
        return known[clip] = box_without(*drawable.scene, *outliers, moments, drawable.gpu->packed.origin);
    std::vector<scene::Aabb> boxes(moments.size());
    batches_.measure(drawable, moments, boxes);
    scene::Aabb all;
    for (const auto& box : boxes)
        all.add(box);
    return known[clip] = all;
}

} // namespace vitrine::render
