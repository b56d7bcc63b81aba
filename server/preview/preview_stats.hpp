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
    void drawn(const api::PreviewMotion& motion, const render::Framing& framing);
    // The framed box of the last image; with `motion`, only if it showed this one.
    std::optional<scene::Aabb> box() const
    {
        return is_known_ ? std::optional(framing_.framed) : std::nullopt;
    }
    std::optional<scene::Aabb> box_of(const api::PreviewMotion& motion) const
    {
        return motion == motion_ ? box() : std::nullopt;
    }
    // Returns the message once.
    std::optional<std::string> take_text() { return std::exchange(text_, std::nullopt); }

private:
    bool is_known_ = false;
    api::PreviewMotion motion_;
    render::Framing framing_{};
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
