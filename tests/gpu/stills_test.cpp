// Stills that wait together are rendered in one submission and equal separately rendered ones byte for byte;
// uses the server's render pool on a real device.

#include <condition_variable>
#include <mutex>

#include <prometheus/registry.h>

#include "server/services/rendering/render_devices.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::test {
namespace {

using render::FrameRequest;
using server::RenderDevice;

// Blocks the render thread and counts its submissions.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = true;
    bool reached = false;
    std::size_t largest = 0; // frame requests in one submission
};

class GatedDevice final : public RenderDevice {
public:
    GatedDevice(std::unique_ptr<RenderDevice> device, Gate& gate) : device_(std::move(device)), gate_(gate) {}
    const render::DeviceInfo& info() const override { return device_->info(); }
    void render(const render::SharedScene& scene, const render::View& view,
                std::span<const render::ClipTime> clip_times, std::vector<render::Frame>& frames) override
    {
        device_->render(scene, view, clip_times, frames);
    }
    void render(std::span<const FrameRequest> frame_requests, std::vector<render::Frame>& frames) override
    {
        pass(frame_requests.size());
        device_->render(frame_requests, frames);
    }
    std::shared_ptr<render::FrameTicket> submit(std::span<const FrameRequest> frame_requests) override
    {
        pass(frame_requests.size());
        return device_->submit(frame_requests);
    }
    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::ClipTime> clip_times) override
    {
        return device_->bounds(scene, clip_times);
    }
    std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                   render::ClipTime clip_time, std::uint32_t x, std::uint32_t y) override
    {
        return device_->pick(scene, view, clip_time, x, y);
    }

private:
    void pass(std::size_t frame_requests)
    {
        std::unique_lock lock(gate_.mutex);
        gate_.reached = true;
        gate_.largest = std::max(gate_.largest, frame_requests);
        gate_.changed.notify_all();
        gate_.changed.wait(lock, [&] { return gate_.open; });
    }

    std::unique_ptr<RenderDevice> device_;
    Gate& gate_;
};

class GpuStills : public Gpu {
protected:
    static std::vector<server::MakeRenderDevice> gated(Gate& gate)
    {
        auto make = server::make_devices(tested()).at(0);
        return {[make, &gate] { return std::make_unique<GatedDevice>(make(), gate); }};
    }
    // Several models at similar sizes with different lightings and overlays.
    static std::vector<FrameRequest> frame_requests()
    {
        const std::array scenes{share(tube(20, 12, 6, 4)), share(textured_cube()), share(mixture()),
                                share(skinned_bar())};
        std::vector<FrameRequest> all;
        for (std::uint32_t i = 0; i < 12; ++i) {
            const auto& scene = scenes[i % scenes.size()];
            render::View view{.width = 96, .height = 96};
            view.camera.yaw = 30.0f * static_cast<float>(i);
            if (i % 5 == 4) view.light = render::LightingPreset::reference;
            if (i % 3 == 2) view.overlays.wireframe = view.overlays.bounds = true;
            const bool moves = !scene->clips.empty();
            all.push_back({scene, view, {moves ? 0 : scene::none, 0.05 * i}});
        }
        return all;
    }
    static std::vector<std::byte> bytes_of(const render::Frame& frame)
    {
        return render::encode(frame, render::ImageFormat::png);
    }
};

TEST_F(GpuStills, EqualSeparatelyRenderedOnes)
{
    Gate gate;
    prometheus::Registry registry;
    server::Metrics metrics(registry);
    // On a busy machine a small budget allows one image at a time.
    server::RenderPool pool(gated(gate), {.batch_time = std::chrono::seconds(100)}, metrics);
    const auto draw = [&](const FrameRequest& frame_request) {
        return pool.request_frame(server::RenderPriority::image, frame_request).value();
    };
    const auto requests = frame_requests();
    std::vector<std::vector<std::byte>> alone;
    for (const auto& frame_request : requests)
        alone.push_back(bytes_of(draw(frame_request).get()));
    ASSERT_EQ(gate.largest, 1u);

    {
        std::lock_guard lock(gate.mutex);
        gate.open = gate.reached = false;
    }
    auto first = draw(requests[0]); // blocks the thread until the others are queued
    {
        std::unique_lock lock(gate.mutex);
        gate.changed.wait(lock, [&] { return gate.reached; });
    }
    std::vector<std::future<render::Frame>> waiting;
    for (const auto& frame_request : requests)
        waiting.push_back(draw(frame_request));
    {
        std::lock_guard lock(gate.mutex);
        gate.open = true;
    }
    gate.changed.notify_all();
    EXPECT_EQ(bytes_of(first.get()), alone[0]);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        EXPECT_TRUE(bytes_of(waiting[i].get()) == alone[i]) << "picture " << i;
    EXPECT_GT(gate.largest, 1u) << "none were rendered together";
}

} // namespace
} // namespace vitrine::test
