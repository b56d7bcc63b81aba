#include "vk_renderer/render_device.hpp"

#include <utility>

namespace vitrine::render {
namespace {

class FinishedFrames final : public FrameTicket {
public:
    FinishedFrames(std::vector<Frame> frames, std::chrono::nanoseconds work_time)
        : frames_(std::move(frames)), work_time_(work_time)
    {
    }
    void wait() noexcept override {}
    std::vector<Frame> collect() override { return std::move(frames_); }
    std::chrono::nanoseconds work_time() const override { return work_time_; }

private:
    std::vector<Frame> frames_;
    std::chrono::nanoseconds work_time_;
};

} // namespace

std::shared_ptr<FrameTicket> RenderDevice::submit(std::span<const FrameRequest> frame_requests)
{
    const auto start = std::chrono::steady_clock::now();
    std::vector<Frame> frames;
    render(frame_requests, frames);
    return std::make_shared<FinishedFrames>(std::move(frames), std::chrono::steady_clock::now() - start);
}

} // namespace vitrine::render
