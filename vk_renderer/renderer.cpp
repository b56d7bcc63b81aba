#include "vk_renderer/renderer.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/fit_view.hpp"
#include "vk_renderer/camera/framing_bounds.hpp"
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/framing_provider.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/gpu/pipeline_cache.hpp"
#include "vk_renderer/passes/point_size.hpp"
#include "vk_renderer/passes/raster_pipelines.hpp"
#include "vk_renderer/picking/pick.hpp"
#include "vk_renderer/scene/scene_cache.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t max_side = 8192;
constexpr std::uint64_t max_area_pixels = 4096ull * 4096;

void check_view(const View& view, const Device& device)
{
    const auto limit =
        std::min(max_side, device.limits.maxImageDimension2D / (device.traits.supersample ? 2 : 1));
    if (view.width == 0 || view.height == 0) throw RenderError("the image has no pixels");
    if (view.width > limit || view.height > limit ||
        std::uint64_t{view.width} * view.height > max_area_pixels)
        throw RenderError(fmt::format(
            "an image of {} x {} is too large; the limits are {} pixels per side and {} pixels in total",
            view.width, view.height, limit, max_area_pixels));
}

// Overlays that the device does not support are reported as errors instead of being left out.
void check_overlays(const View& view, const Device& device, const GpuScene& scene)
{
    if (view.overlays.wireframe && device.features.fillModeNonSolid == VK_FALSE)
        throw RenderError("this device does not support wireframes");
    const auto limit = device.limits.maxStorageBufferRange;
    const auto skinned_bytes = VkDeviceSize{scene.vertex_count()} * 16;
    const auto bytes = std::max({scene.indices.size(), scene.attributes.size(), skinned_bytes});
    if (view.overlays.tangents && bytes > limit)
        throw TooLargeForDevice(fmt::format("the model's tangents need {} MiB; the device can bind {} MiB",
                                            bytes >> 20, limit >> 20));
    const auto is_flat = [](const DrawItem& item) { return item.flat; };
    const bool reads_indices = std::ranges::any_of(scene.packed.draws, is_flat);
    const auto normal_bytes = std::max(skinned_bytes, reads_indices ? scene.indices.size() : 0);
    if (view.overlays.normals && normal_bytes > limit)
        throw TooLargeForDevice(fmt::format("the model's normals need {} MiB; the device can bind {} MiB",
                                            normal_bytes >> 20, limit >> 20));
}

// Two triangles, one plain and one textured.
scene::Scene warm_up_scene()
{
    scene::Scene scene;
    scene::Mesh mesh;
    mesh.positions = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    mesh.normals.assign(3, {0.0f, 0.0f, 1.0f});
    mesh.indices = {0, 1, 2, 0, 1, 2};
    mesh.primitives.resize(2);
    mesh.primitives[0].count = mesh.primitives[1].count = mesh.primitives[1].first = 3;
    mesh.primitives[1].material = 0;
    scene.materials.resize(1);
    scene.materials[0].base_color_texture.image = 0;
    scene.images.resize(1);
    scene.images[0].width = scene.images[0].height = 1;
    scene.images[0].pixels.assign(4, 255);
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

} // namespace

struct Renderer::Impl {
    explicit Impl(const Options& options)
        : instance(options.validation, options.on_log_message),
          device(instance, choose_device(instance, options.device), options),
          timeline(device, options.submit_timeout), cache(device, timeline, options.scene_cache_bytes),
          batches(device, timeline, options), framing_provider(batches, device)
    {
    }
    ~Impl()
    {
        timeline.drain(); // a failed request may have left work in flight
        device.pipelines().save();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    // Runs `work`; if device memory is exhausted, retries with less and less else on the device.
    template <class Work>
    auto retry_with_evictions(Work work)
    {
        struct Restore {
            BatchRenderer& batches;
            ~Restore() { batches.set_max_images(BatchRenderer::max_images); }
        } restore{batches};
        for (bool last_try = false;;) {
            try {
                return work();
            } catch (const OutOfMemory& error) {
                if (last_try) {
                    free_unused();
                    throw TooLargeForDevice(error.what());
                }
            }
            last_try = !make_room();
            if (last_try) batches.set_max_images(1);
        }
    }

    // Evicts half of the scenes at a time, because they must be uploaded again when next used; scratch memory
    // is freed last, because every image needs it. Returns false once everything has been freed: the next try
    // is the last one.
    bool make_room()
    {
        if (cache.size() <= 2) {
            free_unused();
            return false;
        }
        batches.discard_pending();
        batches.flush(); // releases its scenes
        cache.evict_half();
        device.memory().trim();
        return true;
    }
    void free_unused()
    {
        batches.release();
        cache.clear();
        device.memory().trim();
    }
    Drawable drawable_of(const SharedScene& scene) { return {scene, cache.get(scene)}; }
    // Calls `add_images`, which adds to `batches`, and renders what it has added; all or nothing.
    template <class AddImages>
    void render_images(AddImages add_images)
    {
        try {
            add_images();
            batches.flush();
            device.keep_driver_memory();
        } catch (...) {
            batches.discard_pending();
            throw;
        }
    }

    VulkanInstance instance;
    Device device;
    Timeline timeline;
    SceneCache cache;
    BatchRenderer batches;
    FramingProvider framing_provider;
};

Renderer::Renderer(const Options& options)
{
    auto own = options;
    own.on_log_message = serialized(std::move(own.on_log_message));
    impl_ = std::make_unique<Impl>(own);
}
Renderer::~Renderer() = default;

const DeviceInfo& Renderer::info() const
{
    return impl_->device.info;
}

std::shared_ptr<PreparedScene> prepare(const scene::Scene& scene)
{
    return std::make_shared<PreparedScene>(scene);
}

void Renderer::upload(const SharedScene& scene, const std::shared_ptr<PreparedScene>& prepared)
{
    if (impl_->cache.find(scene) != nullptr) return;
    try {
        impl_->cache.add(scene, std::move(*prepared));
    } catch (const OutOfMemory&) { // the images that need the scene make room for it
    }
}

std::optional<std::chrono::nanoseconds> Renderer::expected_time(const SharedScene& scene,
                                                                const View& view) const
{
    const auto gpu = impl_->cache.find(scene);
    if (gpu == nullptr || gpu->seconds_per_cost == 0.0) return std::nullopt;
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(1e9 * gpu->seconds_per_cost * cost_of(*gpu, view)));
}

MemoryUse Renderer::memory() const
{
    return impl_->device.memory().use();
}

std::chrono::nanoseconds Renderer::work_time() const
{
    return impl_->batches.work_time();
}

void Renderer::render(const SharedScene& scene, const View& view, std::span<const ClipTime> clip_times,
                      std::vector<Frame>& frames)
{
    check_view(view, impl_->device);
    frames.resize(clip_times.size());
    if (clip_times.empty()) return;
    impl_->retry_with_evictions([&] {
        const auto drawable = impl_->drawable_of(scene);
        check_overlays(view, impl_->device, *drawable.gpu);
        if (view.lod) impl_->cache.add_lod(*drawable.gpu, *view.lod);
        const auto framing = impl_->framing_provider.compute_framing(drawable, view, clip_times);
        impl_->render_images([&] {
            for (std::size_t i = 0; i < clip_times.size(); ++i)
                impl_->batches.add({drawable, &view, framing, clip_times[i], &frames[i]});
        });
    });
}

void Renderer::render(std::span<const FrameRequest> frame_requests, std::vector<Frame>& frames)
{
    for (const auto& frame_request : frame_requests)
        check_view(frame_request.view, impl_->device);
    frames.resize(frame_requests.size());
    const auto add_all = [&] {
        Drawable drawable;
        for (std::size_t i = 0; i < frame_requests.size(); ++i) {
            const auto& [scene, view, clip_time] = frame_requests[i];
            if (drawable.scene != scene) drawable = impl_->drawable_of(scene);
            check_overlays(view, impl_->device, *drawable.gpu);
            if (view.lod) impl_->cache.add_lod(*drawable.gpu, *view.lod);
            const auto framing = impl_->framing_provider.compute_framing(drawable, view, {&clip_time, 1});
            impl_->batches.add({drawable, &view, framing, clip_time, &frames[i]});
        }
    };
    impl_->retry_with_evictions([&] { impl_->render_images(add_all); });
}

std::vector<scene::Aabb> Renderer::bounds(const SharedScene& scene, std::span<const ClipTime> clip_times)
{
    std::vector<scene::Aabb> boxes(clip_times.size());
    impl_->retry_with_evictions([&] {
        const auto drawable = impl_->drawable_of(scene);
        impl_->batches.measure(drawable, clip_times, boxes);
        for (auto& box : boxes)
            box = translated(box, drawable.gpu->packed.origin);
    });
    return boxes;
}

std::vector<scene::SkinnedMesh> Renderer::skin(const SharedScene& scene, ClipTime clip_time)
{
    return impl_->retry_with_evictions([&] {
        const auto drawable = impl_->drawable_of(scene);
        auto meshes = impl_->batches.skin(drawable, clip_time);
        for (auto& mesh : meshes)
            for (auto& position : mesh.positions)
                position = glm::dvec3(position) + drawable.gpu->packed.origin;
        return meshes;
    });
}

std::optional<scene::Hit> Renderer::pick(const SharedScene& scene, const View& view, ClipTime clip_time,
                                         std::uint32_t x, std::uint32_t y)
{
    check_view(view, impl_->device);
    if (x >= view.width || y >= view.height)
        throw RenderError(
            fmt::format("the pixel {},{} is outside the image of {} x {}", x, y, view.width, view.height));
    return impl_->retry_with_evictions([&] {
        const auto drawable = impl_->drawable_of(scene);
        const auto origin = drawable.gpu->packed.origin;
        const auto params = frame_params(
            view, impl_->framing_provider.compute_framing(drawable, view, {&clip_time, 1}), origin);
        const auto meshes = impl_->batches.skin(drawable, clip_time);
        const auto& instances = drawable.gpu->packed.instances;
        scene::Pose pose{.origin = origin};
        scene::sample_pose(*scene, clip_time.clip, clip_time.time, pose);
        std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
        scene::joint_palette(*scene, instances, pose, palette);
        const auto points = point_diameter(drawable.gpu->packed.point_count, view.width, view.height);
        const float touched_by_lines = line_width + 1.0f;
        auto hit = render::pick({.scene = *scene,
                                 .instances = instances,
                                 .palette = palette,
                                 .meshes = meshes,
                                 .points = pick_radius_of(params, points, view.height),
                                 .lines = pick_radius_of(params, touched_by_lines, view.height)},
                                pixel_ray(params, x, y, view.width, view.height));
        if (hit) hit->position = glm::dvec3(hit->position) + origin;
        return hit;
    });
}

// lavapipe compiles a shader on its first draw, so creating the pipelines is not sufficient.
void Renderer::warm_up()
{
    impl_->batches.prepare();
    const auto scene = std::make_shared<const scene::Scene>(warm_up_scene());
    const ClipTime clip_time;
    render(scene, {.width = 16, .height = 16}, {&clip_time, 1});
    impl_->device.pipelines().save();
}

} // namespace vitrine::render
