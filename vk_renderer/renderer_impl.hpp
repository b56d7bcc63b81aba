#pragma once
// The parts of a Renderer. Private to renderer.cpp, renderer_submit.cpp and renderer_pick.cpp.

#include <algorithm>
#include <memory>
#include <span>

#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/framing_provider.hpp"
#include "vk_renderer/frame/readback_pool.hpp"
#include "vk_renderer/gpu/pipeline_cache.hpp"
#include "vk_renderer/picking/ray.hpp"
#include "vk_renderer/renderer.hpp"
#include "vk_renderer/scene/scene_cache.hpp"

namespace vitrine::render {

// Of the buffers that frames share: four large batches. A small part of the device's memory, where that is
// the host's.
inline std::uint64_t max_shared_bytes(const Device& device)
{
    constexpr std::uint64_t max_bytes = 256u << 20;
    return std::min(max_bytes, device.memory().budget() / 16);
}

struct Renderer::Impl {
    explicit Impl(const Options& options)
        : context(std::make_shared<DeviceContext>(options)), device(context->device),
          readback(context, max_shared_bytes(device)), timeline(device, options.submit_timeout),
          cache(device, timeline, options.scene_cache_bytes), batches(device, timeline, readback, options),
          framing_provider(batches, device)
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
        batches.discard_request();
        batches.flush();                     // releases the scenes
        timeline.wait(timeline.submitted()); // for uploads
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
            batches.begin_request();
            add_images();
            batches.flush();
            device.keep_driver_memory();
        } catch (...) {
            batches.discard_request();
            throw;
        }
    }
    // Ends write_next_to() at the end of a call.
    struct PixelMemoryScope {
        BatchRenderer& batches;
        ~PixelMemoryScope() { batches.set_pixel_memory({}); }
    };
    // The image with the instances of `view`. Throws RenderError if they exceed the limits, TooLargeForDevice
    // if they exceed the device's.
    BatchImage image_of(const Drawable& drawable, const View& view, const Framing& framing,
                        const ClipTime& clip_time, Frame& frame);
    std::optional<scene::Hit> pick(const Drawable& drawable, const View& view, const ClipTime& clip_time,
                                   Pixel pixel);
    // `ray`: of the pixel in the image. The hit is in scene space, at the place of the instance.
    std::optional<scene::Hit> pick_instance(const Drawable& drawable, const View& view,
                                            const shared::ImageParams& params, const SceneInstance& instance,
                                            Ray ray);
    void prepare(std::span<const FrameRequest> frame_requests);
    // Adds an image per request. Precondition: the views were checked.
    void add(std::span<const FrameRequest> frame_requests, std::span<Frame> frames);
    // Submits the images of `request`, which owns them. Returns the timeline value at which they are
    // finished.
    std::uint64_t submit(const std::shared_ptr<AsyncRequest>& request);

    std::shared_ptr<DeviceContext> context;
    Device& device;
    ReadbackPool readback; // ends after everything that uses the device, which its frames may then keep
    Timeline timeline;
    SceneCache cache;
    BatchRenderer batches;
    FramingProvider framing_provider;
};

} // namespace vitrine::render
