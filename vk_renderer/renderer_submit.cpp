// Images of several scenes: rendered at once, or while the caller does other work.
#include <algorithm>
#include <atomic>
#include <utility>

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
    if (!has_instances(view)) return image;
    check_instances(view, *drawable.gpu, batches.max_poses(*drawable.gpu));
    if (view.crowd > 1) image.model = framing_provider.over_motion(drawable, clip_time);
    image.instances = std::make_shared<const std::vector<SceneInstance>>(
        instances_of(*drawable.scene, view, clip_time, image.model));
    return image;
}

void Renderer::Impl::add(std::span<const FrameRequest> frame_requests, std::span<Frame> frames)
{
    constexpr std::size_t prepared_together = 16; // so many scenes are needed on the device at once
    Drawable drawable;
    for (std::size_t i = 0; i < frame_requests.size(); ++i) {
        if (i % prepared_together == 0)
            prepare(frame_requests.subspan(i, std::min(prepared_together, frame_requests.size() - i)));
        const auto& [scene, view, clip_time] = frame_requests[i];
        if (drawable.scene != scene) drawable = drawable_of(scene);
        check_overlays(view, device, *drawable.gpu);
        if (view.lod) cache.add_lod(*drawable.gpu, *view.lod);
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
    for (const auto& frame_request : frame_requests)
        check_view(frame_request.view, impl_->device);
    frames.resize(frame_requests.size());
    impl_->retry_with_evictions([&] { impl_->render_images([&] { impl_->add(frame_requests, frames); }); });
}

std::shared_ptr<FrameTicket> Renderer::submit(std::span<const FrameRequest> frame_requests)
{
    for (const auto& frame_request : frame_requests)
        check_view(frame_request.view, impl_->device);
    const auto request = std::make_shared<AsyncRequest>();
    request->frame_requests.assign(frame_requests.begin(), frame_requests.end());
    request->frames.resize(frame_requests.size());
    const auto done = impl_->retry_with_evictions([&] { return impl_->submit(request); });
    return std::make_shared<SubmittedFrames>(impl_->batches, impl_->timeline, request, done);
}

} // namespace vitrine::render
