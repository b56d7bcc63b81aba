#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "server/services/rendering/adaptive_batch_size.hpp"
#include "server/services/rendering/render_pool.hpp"
#include "server/services/rendering/render_result.hpp"

namespace vitrine::server {
namespace {

// The remaining frames and the size of the next batch. Shared by the waiting thread and the render threads.
class FrameSequence final : public FrameSource {
public:
    FrameSequence(const RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                  const RenderRequest& request)
        : renders_(renders), frame_requests_(frame_requests.begin(), frame_requests.end()), request_(request)
    {
    }

    bool is_all_taken() const
    {
        const std::lock_guard lock(mutex_);
        return next_ == frame_requests_.size();
    }

    // Nothing is taken any more.
    void cancel()
    {
        const std::lock_guard lock(mutex_);
        next_ = frame_requests_.size();
    }

    FramePiece take(const render::RenderDevice& device, const BatchBudget& while_others_wait) override
    {
        const auto& limits =
            renders_.has_interactive_demand(request_) ? while_others_wait : background_budget;
        const auto& [scene, view, clip_time] = frame_requests_.front();
        const auto expected = device.expected_time(scene, view);
        const std::lock_guard lock(mutex_);
        size_.expect(expected);
        const auto count = std::min(size_.next(limits), frame_requests_.size() - next_);
        FramePiece piece{.first = next_, .frame_requests = {}};
        const auto first = frame_requests_.begin() + static_cast<std::ptrdiff_t>(next_);
        piece.frame_requests.assign(first, first + static_cast<std::ptrdiff_t>(count));
        next_ += count;
        return piece;
    }

    void measured(std::size_t images, std::chrono::nanoseconds time) override
    {
        const std::lock_guard lock(mutex_);
        size_.measured(images, time);
    }

    std::optional<std::chrono::nanoseconds> time_of(std::size_t images) const override
    {
        const std::lock_guard lock(mutex_);
        return size_.time_of(images);
    }

    bool is_measuring() const override
    {
        const std::lock_guard lock(mutex_);
        return next_ > 0 && !size_.time_of(1);
    }

private:
    const RenderPool& renders_;
    const std::vector<render::FrameRequest> frame_requests_;
    const RenderRequest request_;
    mutable std::mutex mutex_; // guards the members below; held while no other lock is taken
    std::size_t next_ = 0;
    AdaptiveBatchSize size_;
};

// Passes the frames on in the order of the sequence; pieces may arrive in another one.
class InOrder {
public:
    explicit InOrder(const std::function<void(render::Frame)>& take) : take_(take) {}

    void add(PendingFrames piece)
    {
        if (!piece.frames.empty()) drawn_.emplace(piece.piece.first, std::move(piece.frames));
        for (auto next = drawn_.find(delivered_); next != drawn_.end(); next = drawn_.find(delivered_)) {
            delivered_ += next->second.size();
            std::ranges::for_each(next->second, [&](render::Frame& frame) { take_(std::move(frame)); });
            drawn_.erase(next);
        }
    }

private:
    const std::function<void(render::Frame)>& take_;
    std::map<std::size_t, std::vector<render::Frame>> drawn_; // by index of the first frame
    std::size_t delivered_ = 0;
};

} // namespace

// Requests the next batch before the current one is complete, so that the device is not idle.
Result<void> render_frame_sequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                                   const RenderRequest& request,
                                   const std::function<void(render::Frame)>& take)
{
    const auto sequence = std::make_shared<FrameSequence>(renders, frame_requests, request);
    const std::shared_ptr<void> cancelled_at_exit(nullptr, [&](void*) { sequence->cancel(); });
    std::deque<Result<std::future<PendingFrames>>> requested;
    InOrder frames(take);
    for (requested.push_back(renders.request_piece(request, sequence)); !requested.empty();
         requested.pop_front()) {
        if (!sequence->is_all_taken()) requested.push_back(renders.request_piece(request, sequence));
        auto piece = await_result(std::move(requested.front()));
        if (!piece) return std::unexpected(piece.error());
        frames.add(std::move(*piece));
    }
    return {};
}

} // namespace vitrine::server
