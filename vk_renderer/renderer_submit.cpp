// Images of several scenes: rendered at once, or while the caller does other work.
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/renderer_impl.hpp"
#include "vk_renderer/request_checks.hpp"

namespace vitrine::render {
namespace {

class SubmittedFrames final : public FrameTicket {
public:
    SubmittedFrames(BatchRenderer& batches, Timeline& timeline, std::shared_ptr<AsyncRequest> request,
                    std::uint64_t done)
        : batches_(batches), timeline_(timeline), request_(std::move(request)), done_(done)
    {
    }
    void wait() noexcept override { timed_out_ = !timeline_.wait_on_any_thread(done_); }
    std::vector<Frame> collect() override
    {
        if (timed_out_) timeline_.abandon_device();
        batches_.collect(done_);
        return std::move(request_->frames);
    }
    std::chrono::nanoseconds work_time() const override { return request_->work_time; }

private:
    BatchRenderer& batches_;
    Timeline& timeline_;
    std::shared_ptr<AsyncRequest> request_;
    std::uint64_t done_; // timeline value
    std::atomic<bool> timed_out_ = false;
};

// Returns the number of triangles of a model of the crowd beyond which the image shows no more of it: one for
// each two pixels of its box in the front row. Empty: all are needed. Boxes are relative to the same origin.
std::optional<std::uint32_t> crowd_triangles(const View& view, const shared::ImageParams& params,
                                             const scene::Aabb& model, const scene::Aabb& crowd)
{
    constexpr std::array levels{256u, 512u, 1024u, 2048u, 4096u};
    constexpr float triangles_per_pixel = 0.5f;
    const auto center = glm::vec3(params.center);
    const auto eye = glm::vec3(params.eye);
    const auto nearest = glm::clamp(eye, crowd.min - center, crowd.max - center);
    const bool perspective = params.eye.w > 0.5f;
    const float depth = perspective ? glm::dot(nearest - eye, glm::vec3(params.center_ray)) : 1.0f;
    if (!(depth > 0.0f)) return std::nullopt;
    const float pixels_per_meter =
        static_cast<float>(view.height) / (2.0f * glm::length(glm::vec3(params.ray_y)) * depth);
    const auto size = model.size();
    const float smallest = std::min({size.x, size.y, size.z}), largest = std::max({size.x, size.y, size.z});
    const float middle = size.x + size.y + size.z - smallest - largest;
    const float needed = triangles_per_pixel * largest * middle * pixels_per_meter * pixels_per_meter;
    const auto* const level =
        std::ranges::find_if(levels, [&](auto count) { return static_cast<float>(count) >= needed; });
    return level != levels.end() ? std::optional(*level) : std::nullopt;
}

} // namespace

// Uploads the scenes of some requests, and measures their clips together.
void Renderer::Impl::prepare(std::span<const FrameRequest> frame_requests)
{
    std::vector<FramedMotion> motions;
    for (const auto& [scene, view, clip_time] : frame_requests) {
        if (view.framing) continue;
        const bool is_known = !motions.empty() && motions.back().drawable.scene == scene;
        motions.push_back({is_known ? motions.back().drawable : drawable_of(scene), clip_time});
    }
    framing_provider.measure(motions);
}

BatchImage Renderer::Impl::image_of(const Drawable& drawable, const View& view, const Framing& framing,
                                    const ClipTime& clip_time, Frame& frame)
{
    BatchImage image{drawable, &view, framing, clip_time, &frame};
    auto& gpu = *drawable.gpu;
    if (view.lod) cache.upload_lod(gpu, gpu.lod, *view.lod);
    if (view.lod) image.lod = &gpu.lod;
    if (!has_instances(view)) return image;
    check_instances(view, gpu, batches.max_poses(gpu));
    if (view.crowd > 1) {
        image.model = framing_provider.over_motion(drawable, clip_time);
        const auto triangles =
            crowd_triangles(view, image_params(view, framing, gpu.packed.origin), image.model, framing.model);
        const auto* lod = triangles ? cache.find_crowd_lod(gpu, *drawable.scene, *triangles) : nullptr;
        if (lod != nullptr) image.lod = lod;
    }
    image.instances = std::make_shared<const std::vector<SceneInstance>>(
        instances_of(*drawable.scene, view, clip_time, image.model));
    return image;
}

void Renderer::Impl::add(std::span<const FrameRequest> frame_requests, std::span<Frame> frames)
{
    constexpr std::size_t prepare_batch_size = 16; // scenes that are on the device at the same time
    Drawable drawable;
    for (std::size_t i = 0; i < frame_requests.size(); ++i) {
        if (i % prepare_batch_size == 0)
            prepare(frame_requests.subspan(i, std::min(prepare_batch_size, frame_requests.size() - i)));
        const auto& [scene, view, clip_time] = frame_requests[i];
        if (drawable.scene != scene) drawable = drawable_of(scene);
        check_overlays(view, device, *drawable.gpu);
        const auto framing = framing_provider.compute_framing(drawable, view, {&clip_time, 1});
        batches.add(image_of(drawable, view, framing, clip_time, frames[i]));
    }
}

std::uint64_t Renderer::Impl::submit(const std::shared_ptr<AsyncRequest>& request)
{
    try {
        batches.begin_request(request);
        add(request->frame_requests, request->frames);
        const auto done = batches.submit_pending();
        device.keep_driver_memory();
        return done;
    } catch (...) {
        batches.discard_request();
        throw;
    }
}

void Renderer::render(std::span<const FrameRequest> frame_requests, std::vector<Frame>& frames)
{
    const Impl::PixelMemoryScope scope{impl_->batches};
    for (const auto& frame_request : frame_requests)
        check_view(frame_request.view, impl_->device);
    frames.resize(frame_requests.size());
    impl_->retry_with_evictions([&] { impl_->render_images([&] { impl_->add(frame_requests, frames); }); });
}

std::shared_ptr<FrameTicket> Renderer::submit(std::span<const FrameRequest> frame_requests)
{
    const Impl::PixelMemoryScope scope{impl_->batches};
    for (const auto& frame_request : frame_requests)
        check_view(frame_request.view, impl_->device);
    const auto request = std::make_shared<AsyncRequest>();
    request->frame_requests.assign(frame_requests.begin(), frame_requests.end());
    request->frames.resize(frame_requests.size());
    const auto done = impl_->retry_with_evictions([&] { return impl_->submit(request); });
    return std::make_shared<SubmittedFrames>(impl_->batches, impl_->timeline, request, done);
}

} // namespace vitrine::render
