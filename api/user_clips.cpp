#include "api/user_clips.hpp"

#include <exception>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "api/json_text.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

UserClip parse_one(const json::object& object)
{
    return {.name = std::string(object.at("name").as_string()),
            .clip = object.at("clip").to_number<std::uint32_t>(),
            .first_frame = object.at("firstFrame").to_number<std::uint32_t>(),
            .last_frame = object.at("lastFrame").to_number<std::uint32_t>(),
            .frame_rate = object.at("frameRate").to_number<double>()};
}

} // namespace

std::string user_clips_text(std::span<const UserClip> clips)
{
    if (clips.empty()) return {};
    json::array items;
    for (const auto& clip : clips)
        items.push_back(json::object{{"name", clip.name},
                                     {"clip", clip.clip},
                                     {"firstFrame", clip.first_frame},
                                     {"lastFrame", clip.last_frame},
                                     {"frameRate", clip.frame_rate}});
    return to_text(items);
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

} // namespace vitrine::api
