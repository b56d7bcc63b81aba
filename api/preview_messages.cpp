#include "api/preview_messages.hpp"

#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "api/bounds_json.hpp"
#include "api/hit_json.hpp"
#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/lookup.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

json::array preview_clips_json(const std::vector<PreviewClip>& clips)
{
    json::array list;
    for (std::uint32_t i = 0; i < clips.size(); ++i) {
        list.push_back(json::object{{"id", scene::clip_id(i)},
                                    {"name", clips[i].name},
                                    {"duration", number(clips[i].duration)},
                                    {"frameRate", number(clips[i].frame_rate)}});
    }
    return list;
}

// The member `clip` of messages: as a `view` may name it.
json::value motion_json(const PreviewMotion& motion)
{
    if (!motion.text.empty()) return json::string(motion.text);
    return index_or_null(motion.clip);
}

} // namespace

std::string hello_text(const PreviewInfo& info, std::uint32_t max_side, std::size_t unacknowledged)
{
    return to_text(json::object{
        {"type", "hello"},
        {"protocol", preview_protocol},
        {"asset", info.row ? json::value(nullptr) : json::value(info.asset)},
        {"device", {{"name", info.device}, {"software", info.software}}},
        {"codecs", {"jpeg", "vp8", "vp9"}},
        {"limits", {{"width", max_side}, {"height", max_side}, {"unacknowledged", unacknowledged}}},
        {"clips", preview_clips_json(info.clips)},
        {"variants", json::array(info.variants.begin(), info.variants.end())},
        {"levels", info.levels},
        {"frames", info.frames},
        {"bounds", bounds_json(info.bounds)},
        {"camera", {{"yaw", info.yaw}, {"pitch", info.pitch}, {"frontYaw", info.front_yaw}}}});
}

std::string problem_text(std::string_view code, std::string_view detail)
{
    return to_text(json::object{{"type", "problem"}, {"code", code}, {"detail", detail}});
}

std::string picked_text(std::uint32_t id, const scene::Scene& scene, const std::optional<scene::Hit>& hit)
{
    auto object = hit_json(scene, hit);
    object["type"] = "picked";
    object["id"] = id;
    return to_text(object);
}

std::string picked_in_row_text(std::uint32_t id, json::object hit)
{
    hit["type"] = "picked";
    hit["id"] = id;
    return to_text(hit);
}

std::string row_text(std::string_view query, double duration, json::object places)
{
    places["type"] = "row";
    places["query"] = query;
    places["duration"] = number(duration);
    return to_text(places);
}

std::string state_text(const PreviewMotion& motion, double time, bool playing)
{
    return to_text(json::object{
        {"type", "state"}, {"clip", motion_json(motion)}, {"time", number(time)}, {"playing", playing}});
}

std::string stepped_text(const PreviewMotion& motion, double time,
                         const std::optional<scene::KeyPlace>& place)
{
    return to_text(json::object{{"type", "stepped"},
                                {"clip", motion_json(motion)},
                                {"time", number(time)},
                                {"at", key_place_json(place)}});
}

std::string framing_text(const PreviewMotion& motion, const scene::Aabb& bounds, const scene::Aabb& fit)
{
    return to_text(json::object{{"type", "framing"},
                                {"clip", motion_json(motion)},
                                {"bounds", bounds_json(bounds)},
                                {"fit", bounds_json(fit)}});
}

std::string stats_text(const PreviewStats& stats)
{
    return to_text(json::object{{"type", "stats"},
                                {"framesPerSecond", stats.frames_per_second},
                                {"bytesPerSecond", stats.bytes_per_second},
                                {"renderMs", stats.render_ms},
                                {"encodeMs", stats.encode_ms},
                                {"latencyMs", stats.latency_ms},
                                {"scale", stats.scale}});
}

} // namespace vitrine::api
