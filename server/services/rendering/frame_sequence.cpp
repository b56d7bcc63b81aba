#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "server/services/rendering/adaptive_batch_size.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/rendering/render_result.hpp"

namespace vitrine::server {
namespace {

using std::chrono::steady_clock;

struct RenderedBatch {
    std::size_t first = 0;
    std::vector<render::Frame> frames;
};

// The remaining frames and the size of the next batch. Shared by the waiting thread and the render threads.
class FrameSequence {
public:
    FrameSequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                  const RenderRequest& request)
        : renders_(renders), frame_requests_(frame_requests.begin(), frame_requests.end()), request_(request)
    {
    }

    bool is_all_taken() const
    {
        const std::lock_guard lock(mutex_);
        return next_ == frame_requests_.size();
    }

    std::span<const render::FrameRequest> take(const RenderDevice& device)
    {
        const std::lock_guard lock(mutex_);
        if (next_ == frame_requests_.size()) return {};
        const bool interactive = renders_.has_interactive_demand(request_);
        size_.expect(device.expected_time(frame_requests_[next_].scene, frame_requests_[next_].view));
        const auto count = std::min(size_.next(interactive ? interactive_budget : background_budget),
                                    frame_requests_.size() - next_);
        const auto piece = std::span(frame_requests_).subspan(next_, count);
        next_ += count;
        return piece;
    }

    void measured(std::size_t images, std::chrono::nanoseconds time)
    {
        const std::lock_guard lock(mutex_);
        size_.measured(images, time);
    }

    RenderedBatch draw(RenderDevice& device, std::span<const render::FrameRequest> piece)
    {
        const auto start = steady_clock::now();
        RenderedBatch drawn{static_cast<std::size_t>(piece.data() - frame_requests_.data()), {}};
        device.render(piece, drawn.frames);
        measured(piece.size(), steady_clock::now() - start);
        return drawn;
    }

    // A lost device may have been caused by the size of the batch.
    RenderedBatch render_singly(RenderDevice& device, std::span<const render::FrameRequest> piece)
    {
        RenderedBatch drawn{static_cast<std::size_t>(piece.data() - frame_requests_.data()), {}};
        std::vector<render::Frame> frames;
        for (const auto& frame_request : piece) {
            device.render({&frame_request, 1}, frames);
            drawn.frames.push_back(std::move(frames.at(0)));
        }
        return drawn;
    }

private:
    RenderPool& renders_;
    const std::vector<render::FrameRequest> frame_requests_;
    const RenderRequest request_;
    mutable std::mutex mutex_; // guards the members below
    std::size_t next_ = 0;
    AdaptiveBatchSize size_;
};

// The batch size is decided when the task runs.
Result<std::future<RenderedBatch>> request_batch(RenderPool& renders,
                                                 const std::shared_ptr<FrameSequence>& frame_sequence,
                                                 const RenderRequest& request)
{
    return renders.submit(request,
                          [frame_sequence, piece = std::optional<std::span<const render::FrameRequest>>()](
                              RenderDevice& device) mutable {
                              if (piece) return frame_sequence->render_singly(device, *piece);
                              piece = frame_sequence->take(device);
                              return piece->empty() ? RenderedBatch{} : frame_sequence->draw(device, *piece);
                          });
}

} // namespace

// Requests the next batch before the current one is complete, so that the device is not idle.
Result<void> render_frame_sequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                                   const RenderRequest& request,
                                   const std::function<void(render::Frame)>& take)
{
    const auto frame_sequence = std::make_shared<FrameSequence>(renders, frame_requests, request);
    std::deque<Result<std::future<RenderedBatch>>> requested;
    std::map<std::size_t, std::vector<render::Frame>>
        drawn; // by index of the first frame; a replaced device may deliver late
    std::size_t delivered = 0;
    for (requested.push_back(request_batch(renders, frame_sequence, request)); !requested.empty();
         requested.pop_front()) {
        if (!frame_sequence->is_all_taken())
            requested.push_back(request_batch(renders, frame_sequence, request));
        auto piece = await_result(std::move(requested.front()));
        if (!piece) return std::unexpected(piece.error());
        if (!piece->frames.empty()) drawn.emplace(piece->first, std::move(piece->frames));
        for (auto next = drawn.find(delivered); next != drawn.end(); next = drawn.find(delivered)) {
            delivered += next->second.size();
            std::ranges::for_each(next->second, [&](render::Frame& frame) { take(std::move(frame)); });
            drawn.erase(next);
        }
    }
    return {};
}

} // namespace vitrine::server
