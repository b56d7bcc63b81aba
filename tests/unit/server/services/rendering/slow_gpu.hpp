#pragma once
// A device whose batches are finished when a test permits it, and a pool with one.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "server/services/rendering/render_pool.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::server::testing {

// State of all devices of a test. A batch is finished when the test permits it.
struct SlowGpu {
    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    std::size_t devices = 0;
    std::vector<std::size_t> submitted; // images of each batch, on any device
    std::size_t permitted = 0;          // batches that may be finished, in the order of submission
    bool is_lost = false;               // unfinished batches, and all later ones, lose the device
    std::uint32_t poison = 0;           // an image of this width loses every device when it is submitted
    std::size_t most_images = SIZE_MAX; // larger batches lose the device when they are submitted
    std::size_t single_images = 0;      // drawn while the render thread waits
    std::size_t live_frames = 0;
    std::atomic<std::chrono::milliseconds> work = std::chrono::milliseconds(1); // of a batch

    std::size_t batches()
    {
        const std::lock_guard lock(mutex);
        return submitted.size();
    }
    void permit(std::size_t count)
    {
        {
            const std::lock_guard lock(mutex);
            permitted += count;
        }
        changed.notify_all();
    }
};

class SlowTicket final : public render::FrameTicket {
public:
    SlowTicket(SlowGpu& gpu, std::size_t number, std::size_t device, std::vector<render::Frame> frames)
        : gpu_(gpu), number_(number), device_(device), frames_(std::move(frames))
    {
    }
    void wait() noexcept override
    {
        std::unique_lock lock(gpu_.mutex);
        gpu_.changed.wait(lock, [&] { return is_finished() || is_lost(); });
    }
    std::vector<render::Frame> collect() override
    {
        wait();
        const std::lock_guard lock(gpu_.mutex);
        if (!is_finished()) throw render::DeviceLost("while it worked");
        return std::move(frames_);
    }
    std::chrono::nanoseconds work_time() const override { return gpu_.work.load(); }

private:
    bool is_finished() const { return number_ < gpu_.permitted; }
    bool is_lost() const { return gpu_.is_lost && device_ == gpu_.devices; }

    SlowGpu& gpu_;
    std::size_t number_, device_;
    std::vector<render::Frame> frames_;
};

class SlowDevice final : public RenderDevice {
public:
    explicit SlowDevice(SlowGpu& gpu) : gpu_(gpu)
    {
        const std::lock_guard lock(gpu.mutex);
        number_ = ++gpu.devices;
        gpu.is_lost = false;
    }
    const render::DeviceInfo& info() const override { return info_; }
    void render(const render::SharedScene&, const render::View&, std::span<const render::ClipTime>,
                std::vector<render::Frame>&) override
    {
        const std::lock_guard lock(gpu_.mutex);
        ++gpu_.live_frames;
    }
    void render(std::span<const render::FrameRequest> requests, std::vector<render::Frame>& frames) override
    {
        const std::lock_guard lock(gpu_.mutex);
        frames = draw(requests);
        gpu_.single_images += requests.size();
    }
    std::shared_ptr<render::FrameTicket> submit(std::span<const render::FrameRequest> requests) override
    {
        const std::lock_guard lock(gpu_.mutex);
        auto frames = draw(requests);
        gpu_.submitted.push_back(requests.size());
        return std::make_shared<SlowTicket>(gpu_, gpu_.submitted.size() - 1, number_, std::move(frames));
    }
    std::vector<scene::Aabb> bounds(const render::SharedScene&, std::span<const render::ClipTime>) override
    {
        return {};
    }
    std::optional<scene::Hit> pick(const render::SharedScene&, const render::View&, render::ClipTime,
                                   std::uint32_t, std::uint32_t) override
    {
        return {};
    }

private:
    std::vector<render::Frame> draw(std::span<const render::FrameRequest> requests) const
    {
        if (requests.size() > gpu_.most_images) throw render::DeviceLost("by so many");
        std::vector<render::Frame> frames(requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            frames[i].width = requests[i].view.width;
            if (frames[i].width == gpu_.poison) throw render::DeviceLost("by this picture");
        }
        return frames;
    }

    SlowGpu& gpu_;
    std::size_t number_ = 0;
    render::DeviceInfo info_{"slow", "1", "1.3", false};
};

class SlowGpuTest : public ::testing::Test {
protected:
    SlowGpu gpu;
    prometheus::Registry registry;
    Metrics metrics{registry};
    std::unique_ptr<RenderPool> pool = std::make_unique<RenderPool>(
        std::vector<MakeRenderDevice>{[this] { return std::make_unique<SlowDevice>(gpu); }}, RenderLimits{},
        metrics);
};

} // namespace vitrine::server::testing
