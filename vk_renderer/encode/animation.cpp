#include "vk_renderer/encode/animation.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <webp/mux.h>

#include "loaders/base/stop.hpp"
#include "vk_renderer/encode/codecs.hpp"

namespace vitrine::render {
namespace {

bool same_size(const Frame& a, const Frame& b)
{
    return a.width == b.width && a.height == b.height;
}

bool same_pixels(const Frame& a, const Frame& b, std::uint32_t row, std::uint32_t from, std::uint32_t to)
{
    const auto at = (std::size_t{row} * a.width + from) * 4;
    return std::memcmp(a.pixels.data() + at, b.pixels.data() + at, std::size_t{to - from} * 4) == 0;
}

// Returns the rectangle in which the frames differ. Its origin is even, as WebP requires of animation frames;
// at least 2 x 2 pixels if the image is that large.
Rectangle changed_rectangle(const Frame& a, const Frame& b)
{
    std::uint32_t top = 0, bottom = a.height;
    while (bottom > 0 && same_pixels(a, b, bottom - 1, 0, a.width))
        --bottom;
    while (top < bottom && same_pixels(a, b, top, 0, a.width))
        ++top;
    std::uint32_t left = top < bottom ? a.width : 0, right = 0;
    for (auto row = top; row < bottom; ++row) {
        while (right < a.width && !same_pixels(a, b, row, right, a.width))
            ++right;
        std::uint32_t first = 0;
        while (first < left && same_pixels(a, b, row, first, first + 1))
            ++first;
        left = std::min(left, first);
    }
    // The limits matter for pixels that change meanwhile.
    left = std::min({left, right, a.width - 1}) & ~1u;
    top = std::min(top, a.height - 1) & ~1u;
    right = std::max(right, std::min(left + 2, a.width));
    bottom = std::max(bottom, std::min(top + 2, a.height));
    return {left, top, right - left, bottom - top};
}

struct DeleteMux {
    void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};

void require(WebPMuxError error)
{
    if (error != WEBP_MUX_OK) throw std::runtime_error("the WebP library cannot assemble the frames");
}

} // namespace

struct AnimationEncoder::State {
    explicit State(int quality_) : quality(quality_) {}

    struct ChangedRegion {
        std::shared_ptr<const Frame> frame, previous;
        Rectangle where{};
        std::vector<std::byte> bytes;
    };

    // Encodes one part that no thread has started; returns false if there is none.
    bool encode_one()
    {
        ChangedRegion* part = nullptr;
        {
            const std::scoped_lock lock(mutex);
            if (begun == parts.size()) return false;
            part = &parts[begun++];
        }
        std::exception_ptr failed;
        try {
            const auto& frame = *part->frame;
            part->where = part->previous ? changed_rectangle(*part->previous, frame)
                                         : Rectangle{0, 0, frame.width, frame.height};
            part->bytes = encode_webp_part(frame, part->where, quality);
        } catch (...) {
            failed = std::current_exception();
        }
        part->frame = part->previous = nullptr;
        const std::scoped_lock lock(mutex);
        if (failed) failure = failed;
        ++done;
        changed_state.notify_all();
        return true;
    }

    const int quality;
    std::mutex mutex; // guards the members below except the content of parts, which belongs to the thread
                      // that encodes it
    std::condition_variable changed_state;
    std::deque<ChangedRegion> parts; // grows only at the end: parts keep their address
    std::size_t begun = 0, done = 0;
    std::exception_ptr failure;
    std::shared_ptr<const Frame> last{}; // used only by add()
    std::uint32_t width = 0, height = 0;
};

AnimationEncoder::AnimationEncoder(const EncodeOptions& options, Post post)
    : state_(std::make_shared<State>(std::clamp(options.quality, 1, 100))), options_(options),
      post_(std::move(post))
{
}

AnimationEncoder::~AnimationEncoder()
{
    const std::scoped_lock lock(state_->mutex);
    state_->begun = state_->parts.size();
}

void AnimationEncoder::add(Frame frame)
{
    check_stop();
    require_pixels(frame);
    auto shared = std::make_shared<const Frame>(std::move(frame));
    if (state_->last && !same_size(*state_->last, *shared))
        throw std::runtime_error("the frames of an animation differ in size");
    state_->width = shared->width;
    state_->height = shared->height;
    {
        const std::scoped_lock lock(state_->mutex);
        state_->parts.push_back({shared, state_->last, {}, {}});
    }
    state_->last = std::move(shared);
    if (post_) post_([state = state_] { state->encode_one(); });
}

std::vector<std::byte> AnimationEncoder::finish()
{
    auto& state = *state_;
    while (state.encode_one())
        check_stop();
    {
        std::unique_lock lock(state.mutex);
        state.changed_state.wait(lock, [&] { return state.done == state.parts.size(); });
    }
    if (state.failure) std::rethrow_exception(state.failure);
    if (state.parts.empty()) throw std::runtime_error("the animation has no frames");
    const std::unique_ptr<WebPMux, DeleteMux> mux(WebPMuxNew());
    if (!mux) throw std::runtime_error("the WebP library has an incompatible version");
    const double ms_per_frame = 1000.0 / std::clamp(options_.frames_per_second, 0.1, 1000.0);
    const auto time_of = [&](std::size_t i) { return std::lround(static_cast<double>(i) * ms_per_frame); };
    for (std::size_t i = 0; i < state.parts.size(); ++i) {
        const auto& part = state.parts[i];
        WebPMuxFrameInfo info{};
        info.bitstream = {reinterpret_cast<const std::uint8_t*>(part.bytes.data()), part.bytes.size()};
        info.x_offset = static_cast<int>(part.where.x);
        info.y_offset = static_cast<int>(part.where.y);
        info.duration = static_cast<int>(time_of(i + 1) - time_of(i));
        info.id = WEBP_CHUNK_ANMF;
        info.dispose_method = WEBP_MUX_DISPOSE_NONE;
        info.blend_method = WEBP_MUX_NO_BLEND;
        require(WebPMuxPushFrame(mux.get(), &info, 0));
    }
    const WebPMuxAnimParams endless{.bgcolor = 0xFFFFFFFF, .loop_count = 0};
    require(WebPMuxSetAnimationParams(mux.get(), &endless));
    require(WebPMuxSetCanvasSize(mux.get(), static_cast<int>(state.width), static_cast<int>(state.height)));
    WebPData file{};
    require(WebPMuxAssemble(mux.get(), &file));
    const auto* first = reinterpret_cast<const std::byte*>(file.bytes);
    std::vector<std::byte> out(first, first + file.size);
    WebPDataClear(&file);
    return out;
}

} // namespace vitrine::render
