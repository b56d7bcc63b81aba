#pragma once
// What the server says in a live preview, as text messages of vitrine.preview.v1. Pure.

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
struct StreamInfo { // for the hello
    std::string asset;
    std::string device;
    bool software = false;
    std::vector<StreamClip> clips;
    std::vector<std::string> variants{}; // names of material variants
    scene::Aabb bounds;
    float yaw = 0.0f, pitch = 0.0f; // degrees, of a good first view
};
struct StreamLimits {
    std::uint32_t side = 2048; // pixels; larger views are scaled to fit
    std::size_t unacknowledged = 2;
    double messages_per_second = 500.0;         // beyond: 1008
    std::chrono::milliseconds still_after{150}; // without a view a viewer that said `moving` is at rest
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

// What pictures are framed by, said where it is not what was said last: viewers reckon in metres how far a
// wheel or a hand takes them.
class FramingPublisher {
public:
    void drawn(std::uint32_t clip, const render::Framing& framing);
    // The message, once.
    std::optional<std::string> take_text() { return std::exchange(text_, std::nullopt); }

private:
    std::uint32_t clip_ = scene::none;
    render::Framing framing_{};
    std::optional<std::string> text_;
};

// What flowed since the last `stats` message; one is due a second after the first frame of its span.
class StreamStats {
public:
    void sent(const DrawnFrame& drawn, StreamTime now);
    void acknowledged(double seconds_after);

    std::optional<StreamTime> due() const;
    // The message, and a new span begins. `scale`: of the last picture's sides.
    std::optional<std::string> due_text(StreamTime now, double scale);

private:
    std::size_t frames_ = 0;
    std::uint64_t bytes_ = 0;
    double render_s_ = 0.0, encode_s_ = 0.0, latency_s_ = 0.0;
    std::size_t acks_ = 0;
    std::optional<StreamTime> since_;
};

} // namespace vitrine::server
