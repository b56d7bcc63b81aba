#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <boost/json/parse.hpp>

#include "api/bounds_json.hpp"
#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::none;
using scene::Scene;

constexpr std::size_t max_summary_clips = 64;

const char* name_of(scene::Path path)
{
    constexpr std::array<const char*, 5> names{"translation", "rotation", "scale", "weights", "vertexFrame"};
    return names[static_cast<std::size_t>(path)];
}

const char* name_of(scene::Interpolation interpolation)
{
    constexpr std::array<const char*, 3> names{"step", "linear", "cubic"};
    return names[static_cast<std::size_t>(interpolation)];
}

// repeats: null for infinite repetition.
json::object extrapolation_json(const scene::Extrapolation& extrapolation)
{
    constexpr std::array names{"hold", "repeat", "repeatOffset", "mirror", "slope"};
    return {{"mode", names[static_cast<std::size_t>(extrapolation.mode)]},
            {"repeats", index_or_null(extrapolation.repeats)}};
}

json::object track_json(const Scene& scene, const scene::Channel& channel, std::uint32_t node)
{
    json::array times, values;
    const auto width = channel.times.empty() ? 0 : channel.values.size() / channel.times.size();
    for (std::size_t key = 0; key < channel.times.size(); ++key) {
        json::array value;
        for (std::size_t i = 0; i < width; ++i)
            value.push_back(number(channel.values[key * width + i]));
        times.push_back(number(channel.times[key]));
        values.push_back(std::move(value));
    }
    return {{"node", node},
            {"name", scene.nodes[node].name},
            {"path", name_of(channel.path)},
            {"interpolation", name_of(channel.interpolation)},
            {"before", extrapolation_json(channel.before)},
            {"after", extrapolation_json(channel.after)},
            {"times", std::move(times)},
            {"values", std::move(values)}};
}

} // namespace

json::object clip_json(const Scene& scene, std::uint32_t index, std::span<const UserClip> cuts)
{
    const auto& clip = scene.clips[index];
    std::uint64_t channels = 0, keys = 0;
    for (const auto& channel : clip.channels) {
        if (scene::channel_node(scene, channel) == none) continue;
        ++channels;
        keys += channel.times.size();
    }
    json::object object{{"id", scene::clip_id(index)},
                        {"index", index},
                        {"name", clip.name},
                        {"startTime", number(clip.start_time)},
                        {"duration", number(clip.duration)},
                        {"frameRate", number(clip.frame_rate)},
                        {"frames", clip.frames},
                        {"channels", channels},
                        {"keys", keys}};
    const auto first_cut = scene.clips.size() - std::min(cuts.size(), scene.clips.size());
    if (index < first_cut) return object;
    const auto& cut = cuts[index - first_cut];
    object["cutFrom"] = json::object{{"clip", cut.clip == scene::none ? "frames" : scene::clip_id(cut.clip)},
                                     {"firstFrame", cut.first_frame},
                                     {"lastFrame", cut.last_frame}};
    return object;
}

json::array clips_json(const Scene& scene, std::span<const UserClip> cuts)
{
    json::array out;
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
        out.push_back(clip_json(scene, i, cuts));
    return out;
}

std::string clips_text(const Scene& scene, std::span<const UserClip> cuts)
{
    return to_text(json::object{{"items", clips_json(scene, cuts)}});
}

json::array channels_json(const Scene& scene, std::uint32_t clip)
{
    json::array out;
    for (const auto& channel : scene.clips[clip].channels) {
        const auto node = scene::channel_node(scene, channel);
        if (node == none) continue;
        out.push_back(json::object{{"node", node},
                                   {"name", scene.nodes[node].name},
                                   {"path", name_of(channel.path)},
                                   {"interpolation", name_of(channel.interpolation)},
                                   {"keys", channel.times.size()}});
    }
    return out;
}

json::object clip_with_channels_json(const Scene& scene, std::uint32_t clip, std::span<const UserClip> cuts)
{
    auto object = clip_json(scene, clip, cuts);
    object["tracks"] = channels_json(scene, clip);
    return object;
}

json::object tracks_json(const Scene& scene, std::uint32_t clip, const std::vector<bool>& selected)
{
    json::array tracks;
    for (const auto& channel : scene.clips[clip].channels)
        if (const auto node = scene::channel_node(scene, channel); node != none && selected[node])
            tracks.push_back(track_json(scene, channel, node));
    return {{"clip", scene::clip_id(clip)}, {"tracks", std::move(tracks)}};
}

namespace {

json::object key_json(std::size_t key, double time)
{
    return {{"key", key}, {"time", number(time)}};
}

json::value time_or_null(const std::optional<double>& time)
{
    return time ? json::value(number(*time)) : json::value(nullptr);
}

json::object track_span_json(const Scene& scene, const scene::Channel& channel, std::uint32_t node,
                             double time)
{
    const auto span = scene::find_span(channel, time);
    return {{"node", node},
            {"name", scene.nodes[node].name},
            {"path", name_of(channel.path)},
            {"interpolation", name_of(channel.interpolation)},
            {"from", key_json(span.from, span.from_time)},
            {"to", key_json(span.to, span.to_time)},
            {"blend", number(span.blend)}};
}

} // namespace

json::value key_place_json(const std::optional<scene::KeyPlace>& place)
{
    if (!place) return nullptr;
    const auto& span = place->span;
    return json::object{{"time", number(place->time)},
                        {"from", key_json(span.from, span.from_time)},
                        {"to", key_json(span.to, span.to_time)},
                        {"blend", number(span.blend)},
                        {"previous", time_or_null(place->previous)},
                        {"next", time_or_null(place->next)},
                        {"interpolation", place->interpolation ? json::value(name_of(*place->interpolation))
                                                               : json::value(nullptr)}};
}

json::object keys_json(const Scene& scene, const KeysQuery& query)
{
    const auto& clip = scene.clips[query.clip];
    const auto times = scene::key_times(scene, clip, query.nodes);
    json::array listed;
    for (const double time : std::span(times).first(std::min(times.size(), max_listed_keys)))
        listed.push_back(number(time));
    json::object object{{"clip", scene::clip_id(query.clip)},
                        {"duration", number(clip.duration)},
                        {"count", times.size()},
                        {"times", std::move(listed)}};
    if (!query.time) return object;
    json::array tracks;
    for (const auto& channel : clip.channels) {
        const auto node = scene::channel_node(scene, channel);
        const bool selected = node != none && (query.nodes.empty() || query.nodes[node]);
        if (selected && !channel.times.empty())
            tracks.push_back(track_span_json(scene, channel, node, *query.time));
    }
    object["at"] = key_place_json(scene::place_among_keys(scene, clip, times, *query.time, query.nodes));
    object["tracks"] = std::move(tracks);
    return object;
}

json::object summary_json(const Scene& scene, std::uint32_t shown_clip, std::size_t warning_count)
{
    json::array clips;
    for (std::uint32_t i = 0; i < std::min(scene.clips.size(), max_summary_clips); ++i) {
        const auto& clip = scene.clips[i];
        clips.push_back(json::object{{"id", scene::clip_id(i)},
                                     {"name", clip.name},
                                     {"duration", clip.duration},
                                     {"frameRate", clip.frame_rate}});
    }
    const auto rest = scene::static_bounds_from_origin(scene);
    return {{"bounds", bounds_json(rest)},
            {"fileSpace", file_space_json(scene, rest)},
            {"clips", std::move(clips)},
            {"representativeClip",
             shown_clip == none ? json::value(nullptr) : json::value(scene::clip_id(shown_clip))},
            {"vrm", vrm_json(scene, VrmWeights::counted)},
            {"attribution", attribution_json(scene)},
            {"warnings", warning_count}};
}

ListItems::ListItems(std::string_view list) : list_(list), at_(list.size())
{
    constexpr std::string_view start = R"({"items":[)";
    if (list.starts_with(start)) at_ = start.size();
}

std::string_view ListItems::find(std::size_t index)
{
    while (items_.size() <= index)
        if (!read_next()) return {};
    return items_[index];
}

// Returns false at the end of the list.
bool ListItems::read_next()
{
    std::size_t depth = 0, first = 0;
    for (; at_ < list_.size(); ++at_) {
        const char c = list_[at_];
        if (c == '"') {
            for (++at_; at_ < list_.size() && list_[at_] != '"'; ++at_)
                if (list_[at_] == '\\') ++at_;
        } else if (c == '{' || c == '[') {
            if (depth++ == 0) first = at_;
        } else if (c == '}' || c == ']') {
            if (depth == 0) break;
            if (--depth > 0) continue;
            items_.push_back(list_.substr(first, ++at_ - first));
            return true;
        }
    }
    at_ = list_.size();
    return false;
}

json::object clip_row(std::string_view clip)
{
    boost::system::error_code error;
    const auto item = json::parse(clip, error);
    json::object row;
    for (const std::string_view member : {"id", "index", "name", "duration", "frameRate"})
        if (const auto* value = !error && item.is_object() ? item.as_object().if_contains(member) : nullptr)
            row[member] = *value;
    return row;
}

} // namespace vitrine::api
