// What an image shows at a pixel.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/passes/point_size.hpp"
#include "vk_renderer/passes/raster_pipelines.hpp"
#include "vk_renderer/picking/pick.hpp"
#include "vk_renderer/renderer_impl.hpp"
#include "vk_renderer/request_checks.hpp"

namespace vitrine::render {
namespace {

// An instance that the ray may hit.
struct PickCandidate {
    float entry = 0.0f; // meters along the ray to its box
    SceneInstance instance;
};

// Returns the distance in meters at which the ray enters the box; empty: it misses the box.
std::optional<float> distance_to(const scene::Aabb& box, const Ray& ray)
{
    float entry = 0.0f, exit = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        const float from = (box.min[axis] - ray.origin[axis]) / ray.direction[axis];
        const float to = (box.max[axis] - ray.origin[axis]) / ray.direction[axis];
        if (from != from || to != to) continue; // along a face
        entry = std::max(entry, std::min(from, to));
        exit = std::min(exit, std::max(from, to));
    }
    if (entry > exit) return std::nullopt;
    return entry * glm::length(ray.direction);
}

// `model`: the box of one instance. Nearest first; ghosts cannot be picked.
std::vector<PickCandidate> pick_candidates(const scene::Scene& scene, View view, const ClipTime& clip_time,
                                           const scene::Aabb& model, const Ray& ray)
{
    constexpr float margin = 0.02f; // of the model's size, for lines and points at its sides
    const auto padding = glm::vec3(margin * glm::length(model.size()));
    view.ghosts = {};
    std::vector<PickCandidate> candidates;
    for (const auto& instance : instances_of(scene, view, clip_time, model)) {
        const auto& offset = instance.placement.offset;
        const auto entry = distance_to({model.min + offset - padding, model.max + offset + padding}, ray);
        if (entry) candidates.push_back({*entry, instance});
    }
    std::ranges::sort(candidates, {}, &PickCandidate::entry);
    return candidates;
}

} // namespace

std::optional<scene::Hit> Renderer::Impl::pick_instance(const Drawable& drawable, const View& view,
                                                        const shared::ImageParams& params,
                                                        const SceneInstance& instance, Ray ray)
{
    const auto& scene = *drawable.scene;
    const auto& instances = drawable.gpu->packed.instances;
    const auto origin = drawable.gpu->packed.origin;
    const auto meshes = batches.skin(drawable, instance.clip_time);
    scene::Pose pose{.origin = origin};
    sample_pose(scene, instance.clip_time, pose);
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    scene::joint_palette(scene, instances, pose, palette);
    const auto points = point_diameter(drawable.gpu->packed.point_count, view.width, view.height);
    const float touched_by_lines = line_width + 1.0f;
    ray.origin -= instance.placement.offset;
    auto hit = render::pick({.scene = scene,
                             .instances = instances,
                             .palette = palette,
                             .meshes = meshes,
                             .points = pick_radius_of(params, points, view.height),
                             .lines = pick_radius_of(params, touched_by_lines, view.height)},
                            ray);
    if (hit) hit->position = glm::dvec3(hit->position + instance.placement.offset) + origin;
    return hit;
}

std::optional<scene::Hit> Renderer::Impl::pick(const Drawable& drawable, const View& view,
                                               const ClipTime& clip_time, Pixel pixel)
{
    const auto params = image_params(view, framing_provider.compute_framing(drawable, view, {&clip_time, 1}),
                                     drawable.gpu->packed.origin);
    const auto ray = pixel_ray(params, pixel.x, pixel.y, view.width, view.height);
    if (view.crowd <= 1) return pick_instance(drawable, view, params, {clip_time}, ray);
    check_instances(view, *drawable.gpu, batches.max_poses(*drawable.gpu));
    const auto model = framing_provider.over_motion(drawable, clip_time);
    std::optional<scene::Hit> nearest;
    for (const auto& [entry, instance] : pick_candidates(*drawable.scene, view, clip_time, model, ray)) {
        if (nearest && nearest->distance < entry) break;
        const auto hit = pick_instance(drawable, view, params, instance, ray);
        if (hit && (!nearest || hit->distance < nearest->distance)) nearest = hit;
    }
    return nearest;
}

std::optional<scene::Hit> Renderer::pick(const SharedScene& scene, const View& view, ClipTime clip_time,
                                         std::uint32_t x, std::uint32_t y)
{
    check_view(view, impl_->device);
    if (x >= view.width || y >= view.height)
        throw RenderError(
            fmt::format("the pixel {},{} is outside the image of {} x {}", x, y, view.width, view.height));
    return impl_->retry_with_evictions(
        [&] { return impl_->pick(impl_->drawable_of(scene), view, clip_time, {x, y}); });
}

} // namespace vitrine::render
