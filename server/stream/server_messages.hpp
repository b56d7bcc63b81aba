#pragma once
// Text messages from the server in a live preview (vitrine.preview.v1). Pure functions.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/hit.hpp"
#include "server/stream/client_messages.hpp"
#include "server/stream/playback_clock.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::server {

struct StreamClip {
    std::string name;
    double duration = 0.0;
    double frame_rate = 0.0;
};
struct StreamInfo { // values of the hello message
    std::string asset;
    std::string device;
    bool software = false;
    std::vector<StreamClip> clips;
    std::vector<std::string> variants{}; // names of the material variants
    scene::Aabb bounds;
    float yaw = 0.0f, pitch = 0.0f; // of the initial view, degrees
};
struct StreamLimits {
    std::uint32_t side = 2048; // pixels; larger views are scaled down
    std::size_t unacknowledged = 2;
    double messages_per_second = 500.0; // limit; above, the session is closed with 1008
    std::chrono::milliseconds still_after{
        150}; // time without a view after which a `moving` viewer counts as at rest
};

struct DrawnFrame {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    scene::Aabb bounds;
    render::Framing framing{};
    std::uint32_t render_us = 0;
    std::uint32_t encode_us = 0;
    bool key_frame = true;
    std::size_t payload_bytes = 0;
};

std::string hello_text(const StreamInfo& info, const StreamLimits& limits);
std::string problem_text(const MessageError& error);
std::string picked_text(std::uint32_t id, const scene::Scene& scene, const std::optional<scene::Hit>& hit);
std::string state_text(std::optional<std::uint32_t> clip, double time, bool playing);

// The framing of the images, published when it differs from the last published one: viewers use it to convert
// pointer and wheel movement to meters.
class FramingPublisher {
public:
    void drawn(std::uint32_t clip, const render::Framing& framing);
    // Returns the message once.
    std::optional<std::string> take_text() { return std::exchange(text_, std::nullopt); }

private:
    std::uint32_t clip_ = scene::none;
    render::Framing framing_{};
    std::optional<std::string> text_;
};

// Traffic since the last `stats` message; the next one is due a second after the first frame of its interval.
class StreamStats {
public:
    void sent(const DrawnFrame& drawn, StreamTime now);
    void acknowledged(double seconds_after);

    std::optional<StreamTime> due() const;
    // Returns the message if it is due, and starts a new interval. `scale`: of the last frame's sides.
    std::optional<std::string> due_text(StreamTime now, double scale);

private:
    std::size_t frames_ = 0;
    std::uint64_t bytes_ = 0;
    double render_s_ = 0.0, encode_s_ = 0.0, latency_s_ = 0.0;
    std::size_t acks_ = 0;
    std::optional<StreamTime> since_;
};

} // namespace vitrine::server
