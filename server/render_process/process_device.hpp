#pragma once
// A render device in a process of its own, which holds the driver and a render::Renderer. When the device is
// lost or hangs, or the driver crashes, the process is killed and the kernel frees the device's memory; the
// server goes on.
//
// Thread and errors: as render::Renderer. In addition, DeviceLost is thrown if the process has ended, does
// not reply in time or sends what it must not; every later call then throws it too. The process ends when the
// thread that created the device ends.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "vk_renderer/render_device.hpp"

namespace vitrine::render_process {

struct ProcessOptions {
    std::filesystem::path program = "/proc/self/exe";
    // Files below it cannot be opened by the process, except in its folder `shaders`; empty: none is
    // excluded. Not enforced by a kernel without Landlock.
    std::filesystem::path private_folder{};
    std::chrono::milliseconds start_timeout{120'000}; // drivers, device, first compilation of shaders
    // Of one call, and of one ticket that is waited for. Longer than Options::submit_timeout, after which the
    // process itself reports that the device hangs.
    std::chrono::milliseconds call_timeout{60'000};
    // Of the scenes that the process keeps for later calls, in memory files.
    std::uint64_t scene_bytes = 512ull << 20;
    // Of the memory files whose pixels frames share; while they are in use, further frames are copies.
    std::uint64_t frame_bytes = 256ull << 20;
};

class ProcessDevice final : public render::RenderDevice {
public:
    // Starts the process and waits until its device has rendered a first image. Throws DeviceLost if the
    // process ends or does not reply in time, and the exceptions of Renderer's constructor and warm_up().
    ProcessDevice(const render::Options& options, const ProcessOptions& process_options);
    // Lets the process store its pipelines, or kills it after a loss.
    ~ProcessDevice() override;
    ProcessDevice(const ProcessDevice&) = delete;
    ProcessDevice& operator=(const ProcessDevice&) = delete;

    pid_t process_id() const;

    const render::DeviceInfo& info() const override;
    render::MemoryUse memory() const override;           // the last known if the process has ended
    std::chrono::nanoseconds work_time() const override; // at the last reply
    std::optional<std::chrono::nanoseconds> expected_time(const render::SharedScene& scene,
                                                          const render::View& view) const override;
    using RenderDevice::render;
    void render(const render::SharedScene& scene, const render::View& view,
                std::span<const render::ClipTime> clip_times, std::vector<render::Frame>& frames) override;
    void render(std::span<const render::FrameRequest> frame_requests,
                std::vector<render::Frame>& frames) override;
    std::shared_ptr<render::FrameTicket>
    submit(std::span<const render::FrameRequest> frame_requests) override;
    void idle() override;
    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::ClipTime> clip_times) override;
    std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                   render::ClipTime clip_time, std::uint32_t x, std::uint32_t y) override;

private:
    class Ticket;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vitrine::render_process
