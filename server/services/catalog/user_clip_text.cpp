#include "server/services/catalog/user_clip_text.hpp"

#include <algorithm>
#include <cmath>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "api/json_text.hpp"
#include "loaders/scene/motion/cut_clip.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace json = boost::json;

namespace vitrine::server {
namespace {

UserClip parse_one(const json::object& object)
{
    return {.name = std::string(object.at("name").as_string()),
            .clip = object.at("clip").to_number<std::uint32_t>(),
            .first_frame = object.at("firstFrame").to_number<std::uint32_t>(),
            .last_frame = object.at("lastFrame").to_number<std::uint32_t>(),
            .frame_rate = object.at("frameRate").to_number<double>()};
}

scene::Clip make_clip(const scene::Scene& scene, std::size_t file_clips, const UserClip& user)
{
    scene::Clip cut;
    const auto first = static_cast<double>(user.first_frame);
    const auto last = static_cast<double>(user.last_frame);
    if (user.clip < file_clips) {
        const auto& source = scene.clips[user.clip];
        const double rate = numbering_rate(source);
        cut = scene::cut_clip(source, scene::snap_to_key(scene, source, first / rate),
                              scene::snap_to_key(scene, source, last / rate), user.frame_rate / rate);
        cut.start_time = source.start_time + first / rate;
    }
    cut.name = user.name;
    cut.duration = (last - first) / user.frame_rate;
    cut.frame_rate = user.frame_rate;
    cut.frames = user.last_frame - user.first_frame + 1;
    return cut;
}

} // namespace

std::vector<api::ClipCut> cuts_of(std::span<const UserClip> clips)
{
    std::vector<api::ClipCut> cuts;
    for (const auto& clip : clips)
        cuts.push_back({.clip = clip.clip, .first_frame = clip.first_frame, .last_frame = clip.last_frame});
    return cuts;
}

std::string to_text(std::span<const UserClip> clips)
{
    if (clips.empty()) return {};
    json::array items;
    for (const auto& clip : clips)
        items.push_back(json::object{{"name", clip.name},
                                     {"clip", clip.clip},
                                     {"firstFrame", clip.first_frame},
                                     {"lastFrame", clip.last_frame},
                                     {"frameRate", clip.frame_rate}});
    return api::to_text(items);
}

std::vector<UserClip> parse_user_clips(std::string_view text)
{
    if (text.empty()) return {};
    try {
        std::vector<UserClip> clips;
        for (const auto& item : json::parse(text).as_array())
            clips.push_back(parse_one(item.as_object()));
        return clips;
    } catch (const std::exception&) { // boost's system_error, invalid_argument, out_of_range
        return {};
    }
}

double numbering_rate(const scene::Clip& clip)
{
    return clip.frame_rate > 0.0 ? clip.frame_rate : scene::default_frame_rate;
}

std::uint32_t last_frame_of(const scene::Clip& clip)
{
    constexpr double time_tolerance = 1e-4; // of a frame: durations are sums of rounded frame times
    const double last = std::floor(clip.duration * numbering_rate(clip) + time_tolerance);
    return static_cast<std::uint32_t>(std::clamp(last, 0.0, 4e9));
}

void append_user_clips(scene::Scene& scene, std::span<const UserClip> clips)
{
    const auto file_clips = scene.clips.size();
    for (const auto& clip : clips)
        scene.clips.push_back(make_clip(scene, file_clips, clip));
}

} // namespace vitrine::server
