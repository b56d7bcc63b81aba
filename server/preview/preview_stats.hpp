#pragma once
// What a PreviewSession reports about its frames: their framing, and the traffic of each second. One strand.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/preview_messages.hpp"
#include "server/preview/playback_clock.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::server {

struct DrawnFrame; // preview_session.hpp

// The framing of the images, published when it differs from the last published one: viewers use it to convert
// pointer and wheel movement to meters.
class FramingPublisher {
public:
    // An image that was framed by its motion.
    void drawn(const api::PreviewMotion& motion, const render::Framing& framing);
    // One that was framed as the last one of the motion, or between two motions.
    void kept(const api::PreviewMotion& motion);
    void faded(const api::PreviewMotion& motion, const render::Framing& framing);
    // The framing of a motion that is shown later.
    void learn(const api::PreviewMotion& motion, const render::Framing& framing)
    {
        known_ = {motion, framing};
    }

    // The framed box of the newest motion; with `motion`, only if it is this one.
    std::optional<scene::Aabb> box() const
    {
        return known_ ? std::optional(known_->framing.framed) : std::nullopt;
    }
    std::optional<scene::Aabb> box_of(const api::PreviewMotion& motion) const
    {
        return known_ && known_->motion == motion ? box() : std::nullopt;
    }
    // Returns the message once.
    std::optional<std::string> take_text() { return std::exchange(text_, std::nullopt); }

private:
    struct MotionFraming {
        api::PreviewMotion motion;
        render::Framing framing;
        bool operator==(const MotionFraming&) const = default;
    };
    void publish(const MotionFraming& framing);

    std::optional<MotionFraming> known_, published_;
    std::optional<std::string> text_;
};

// Traffic since the last `stats` message; the next one is due a second after the first frame of its interval.
class StatsInterval {
public:
    void sent(const DrawnFrame& drawn, PreviewTime now);
    void acknowledged(double seconds_after);

    std::optional<PreviewTime> due() const;
    // Returns the message if it is due, and starts a new interval. `scale`: of the last frame's sides.
    std::optional<std::string> due_text(PreviewTime now, double scale);

private:
    std::size_t frames_ = 0;
    std::uint64_t bytes_ = 0;
    double render_s_ = 0.0, encode_s_ = 0.0, latency_s_ = 0.0;
    std::size_t acks_ = 0;
    std::optional<PreviewTime> since_;
};

} // namespace vitrine::server
