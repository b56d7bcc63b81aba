#include "server/preview/preview_stats.hpp"

#include <algorithm>
#include <utility>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::seconds stats_span{1};

} // namespace

void FramingPublisher::publish(const MotionFraming& framing)
{
    if (published_ == framing) return;
    published_ = framing;
    text_ = api::framing_text(framing.motion, framing.framing.model, framing.framing.framed);
}

void FramingPublisher::drawn(const api::PreviewMotion& motion, const render::Framing& framing)
{
    learn(motion, framing);
    publish(*known_);
}

void FramingPublisher::kept(const api::PreviewMotion& motion)
{
    if (known_ && known_->motion == motion) publish(*known_);
}

void FramingPublisher::faded(const api::PreviewMotion& motion, const render::Framing& framing)
{
    publish({motion, framing});
}

void StatsInterval::sent(const DrawnFrame& drawn, PreviewTime now)
{
    if (!since_) since_ = now;
    ++frames_;
    bytes_ += drawn.payload_bytes;
    render_s_ += drawn.render_us * 1e-6;
    encode_s_ += drawn.encode_us * 1e-6;
}

void StatsInterval::acknowledged(double seconds_after)
{
    latency_s_ += seconds_after;
    ++acks_;
}

std::optional<PreviewTime> StatsInterval::due() const
{
    return since_ ? std::optional(*since_ + stats_span) : std::nullopt;
}

std::optional<std::string> StatsInterval::due_text(PreviewTime now, double scale)
{
    if (!since_ || now < *due()) return std::nullopt;
    auto span = std::exchange(*this, {});
    double seconds = std::chrono::duration<double>(now - *span.since_).count();
    auto frames = static_cast<double>(span.frames_);
    auto acks = static_cast<double>(std::max<std::size_t>(1, span.acks_));
    return api::stats_text({.frames_per_second = frames / seconds,
                            .bytes_per_second = static_cast<double>(span.bytes_) / seconds,
                            .render_ms = span.render_s_ * 1e3 / frames,
                            .encode_ms = span.encode_s_ * 1e3 / frames,
                            .latency_ms = span.latency_s_ * 1e3 / acks,
                            .scale = scale});
}

} // namespace vitrine::server
