#include "server/stream/server_messages.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "api/hit_json.hpp"
#include "api/json_text.hpp"
#include "api/scene_json.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds stats_span{1};

json::array clips_json(const std::vector<StreamClip>& clips)
{
    json::array list;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        list.push_back(json::object{{"id", "c" + std::to_string(i)},
                                    {"name", clips[i].name},
                                    {"duration", api::number(clips[i].duration)},
                                    {"frameRate", api::number(clips[i].frame_rate)}});
    }
    return list;
}

} // namespace

std::string hello_text(const StreamInfo& info, const StreamLimits& limits)
{
    return api::to_text(json::object{
        {"type", "hello"},
        {"protocol", "vitrine.preview.v1"},
        {"asset", info.asset},
        {"device", {{"name", info.device}, {"software", info.software}}},
        {"codecs", {"jpeg", "vp8", "vp9"}},
        {"limits",
         {{"width", limits.side}, {"height", limits.side}, {"unacknowledged", limits.unacknowledged}}},
        {"clips", clips_json(info.clips)},
        {"variants", json::array(info.variants.begin(), info.variants.end())},
        {"bounds", api::bounds_json(info.bounds)},
        {"camera", {{"yaw", info.yaw}, {"pitch", info.pitch}}}});
}

std::string problem_text(const MessageError& error)
{
    return api::to_text(json::object{{"type", "problem"}, {"code", error.code}, {"detail", error.detail}});
}

std::string picked_text(std::uint32_t id, const scene::Scene& scene, const std::optional<scene::Hit>& hit)
{
    auto text = api::hit_json(scene, hit);
    text["type"] = "picked";
    text["id"] = id;
    return api::to_text(text);
}

std::string state_text(std::optional<std::uint32_t> clip, double time, bool playing)
{
    return api::to_text(json::object{{"type", "state"},
                                     {"clip", clip ? json::value(*clip) : json::value(nullptr)},
                                     {"time", api::number(time)},
                                     {"playing", playing}});
}

void FramingPublisher::drawn(std::uint32_t clip, const render::Framing& framing)
{
    if (clip == clip_ && framing == framing_) return;
    clip_ = clip;
    framing_ = framing;
    text_ =
        api::to_text(json::object{{"type", "framing"},
                                  {"clip", clip == scene::none ? json::value(nullptr) : json::value(clip)},
                                  {"bounds", api::bounds_json(framing.model)},
                                  {"fit", api::bounds_json(framing.framed)}});
}

void StreamStats::sent(const DrawnFrame& drawn, StreamTime now)
{
    if (!since_) since_ = now;
    ++frames_;
    bytes_ += drawn.payload_bytes;
    render_s_ += drawn.render_us * 1e-6;
    encode_s_ += drawn.encode_us * 1e-6;
}

void StreamStats::acknowledged(double seconds_after)
{
    latency_s_ += seconds_after;
    ++acks_;
}

std::optional<StreamTime> StreamStats::due() const
{
    return since_ ? std::optional(*since_ + stats_span) : std::nullopt;
}

std::optional<std::string> StreamStats::due_text(StreamTime now, double scale)
{
    if (!since_ || now < *due()) return std::nullopt;
    auto span = std::exchange(*this, {});
    double seconds = std::chrono::duration<double>(now - *span.since_).count();
    auto frames = static_cast<double>(span.frames_);
    auto acks = static_cast<double>(std::max<std::size_t>(1, span.acks_));
    return api::to_text(json::object{{"type", "stats"},
                                     {"framesPerSecond", frames / seconds},
                                     {"bytesPerSecond", static_cast<double>(span.bytes_) / seconds},
                                     {"renderMs", span.render_s_ * 1e3 / frames},
                                     {"encodeMs", span.encode_s_ * 1e3 / frames},
                                     {"latencyMs", span.latency_s_ * 1e3 / acks},
                                     {"scale", scale}});
}

} // namespace vitrine::server
