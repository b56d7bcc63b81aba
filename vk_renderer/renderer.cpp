#include "vk_renderer/renderer.hpp"

#include "vk_renderer/camera/framing_bounds.hpp"
#include "vk_renderer/renderer_impl.hpp"
#include "vk_renderer/request_checks.hpp"

namespace vitrine::render {
namespace {

// Adds a copy of the first mesh that two joints move.
void add_skinned_mesh(scene::Scene& scene)
{
    auto& mesh = scene.meshes.emplace_back(scene.meshes.front());
    mesh.influences.first = {0, 2, 4, 6};
    mesh.influences.joints = {0, 1, 0, 1, 0, 1};
    mesh.influences.weights.assign(6, 0.5f);
    scene.nodes.resize(3);
    scene.nodes[1].mesh = 1;
    scene.nodes[1].skin = 0;
    scene.nodes[2].local.translation.z = 0.5f;
    scene.skins.resize(1);
    scene.skins[0].joints = {0, 2};
    scene.skins[0].inverse_bind.assign(2, glm::mat4(1.0f));
}

// Adds a mesh whose triangles are so small in it that their vertices alone cast its shadow.
void add_fine_mesh(scene::Scene& scene)
{
    auto& mesh = scene.meshes.emplace_back();
    for (const float corner : {0.0f, 1.0f})
        for (const auto& offset :
             {glm::vec3(0.0f), glm::vec3(0.001f, 0.0f, 0.0f), glm::vec3(0.0f, 0.0f, 0.001f)})
            mesh.positions.push_back(glm::vec3(corner) + offset);
    mesh.normals.assign(6, {0.0f, 1.0f, 0.0f});
    mesh.indices = {0, 1, 2, 3, 4, 5};
    mesh.primitives.resize(1);
    mesh.primitives[0].count = 6;
    scene.nodes.emplace_back().mesh = static_cast<std::uint32_t>(scene.meshes.size()) - 1;
}

// Two triangles, one plain and one textured, static and skinned, and fine ones. The image has mipmaps.
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
    scene.images[0].width = scene.images[0].height = 8;
    scene.images[0].pixels.assign(8 * 8 * 4, 255);
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    add_skinned_mesh(scene);
    add_fine_mesh(scene);
    return scene;
}

} // namespace

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

PassTimes Renderer::pass_times() const
{
    return impl_->batches.pass_times();
}

HostTimes Renderer::host_times() const
{
    return impl_->batches.host_times();
}

void Renderer::render(const SharedScene& scene, const View& view, std::span<const ClipTime> clip_times,
                      std::vector<Frame>& frames)
{
    const Impl::PixelMemoryScope scope{impl_->batches};
    check_view(view, impl_->device);
    frames.resize(clip_times.size());
    if (clip_times.empty()) return;
    impl_->retry_with_evictions([&] {
        const auto drawable = impl_->drawable_of(scene);
        check_overlays(view, impl_->device, *drawable.gpu);
        const auto framing = impl_->framing_provider.compute_framing(drawable, view, clip_times);
        impl_->render_images([&] {
            for (std::size_t i = 0; i < clip_times.size(); ++i)
                impl_->batches.add(impl_->image_of(drawable, view, framing, clip_times[i], frames[i]));
        });
    });
}

std::vector<scene::Aabb> Renderer::bounds(const SharedScene& scene, std::span<const ClipTime> clip_times)
{
    return impl_->retry_with_evictions([&] {
        Measurement measurement{impl_->drawable_of(scene), {clip_times.begin(), clip_times.end()}, {}};
        impl_->batches.measure({&measurement, 1});
        for (auto& box : measurement.boxes)
            box = translated(box, measurement.drawable.gpu->packed.origin);
        return std::move(measurement.boxes);
    });
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

// lavapipe compiles a shader on its first draw, so creating the pipelines is not sufficient.
void Renderer::warm_up()
{
    impl_->batches.prepare();
    const auto scene = std::make_shared<const scene::Scene>(warm_up_scene());
    const ClipTime clip_time;
    bounds(scene, {&clip_time, 1});
    render(scene, {.width = 16, .height = 16}, {&clip_time, 1});
}

std::shared_ptr<ImportedMemory> Renderer::import_memory(std::span<std::byte> memory,
                                                        std::shared_ptr<void> owner)
{
    return ImportedMemory::import(impl_->context, memory, std::move(owner));
}

void Renderer::write_next_to(std::shared_ptr<ImportedMemory> memory)
{
    impl_->batches.set_pixel_memory(std::move(memory));
}

void Renderer::wait_for(const ImportedMemory& memory)
{
    if (!memory.is_unused()) impl_->batches.collect(impl_->timeline.submitted());
}

void Renderer::idle()
{
    impl_->device.pipelines().save();
    impl_->readback.trim();
}

} // namespace vitrine::render
