// User clips: PATCH .../clips cuts them out of the file's clips, DELETE .../clips/{clip} removes them.
#include <algorithm>
#include <cmath>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/services/clip_editor.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr double min_frame_rate = 0.01; // frames per second
constexpr double max_frame_rate = 1000.0;

struct EditTarget {
    AssetRecord asset;
    SharedScene scene;
    std::vector<UserClip> clips; // the asset's clips after the change
    std::size_t file_clips = 0;
};

std::expected<EditTarget, api::Problem> find_edit_target(const Request& request, Context& context)
{
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto clips = api::parse_user_clips(asset->user_clips);
    const auto file_clips = (*scene)->clips.size() - std::min(clips.size(), (*scene)->clips.size());
    return EditTarget{std::move(*asset), std::move(*scene), std::move(clips), file_clips};
}

// Reads one clip of the body. Errors are added to `problem` with their location.
class ClipReader {
public:
    ClipReader(const EditTarget& target, std::string at, api::Problem& problem)
        : target_(target), at_(std::move(at)), problem_(problem)
    {
    }

    UserClip read(const json::value& value)
    {
        UserClip clip;
        if (!value.is_object()) {
            reject("", "must be an object");
            return clip;
        }
        const auto& object = value.as_object();
        for (const auto& [key, member] : object)
            if (key != "name" && key != "clip" && key != "firstFrame" && key != "lastFrame" &&
                key != "frameRate")
                reject("/" + std::string(key), "is not a member of a clip");
        read_name(object, clip);
        if (read_source(object, clip)) read_frames(object, clip);
        return clip;
    }

private:
    void reject(const std::string& member, const std::string& why)
    {
        problem_.errors.push_back(
            {.pointer = at_ + member, .detail = (member.empty() ? "It" : member.substr(1)) + " " + why});
    }

    void read_name(const json::object& object, UserClip& clip)
    {
        const auto* value = object.if_contains("name");
        if (value == nullptr || !value->is_string()) return reject("/name", "must be a string");
        clip.name = std::string(value->as_string());
        if (clip.name.empty() || clip.name.size() > max_name_bytes || has_control_character(clip.name))
            return reject("/name",
                          fmt::format("must have 1 to {} bytes and no control character", max_name_bytes));
        for (std::size_t i = 0; i < target_.file_clips; ++i)
            if (target_.scene->clips[i].name == clip.name)
                return reject("/name", "is the name of another clip");
        for (const auto& other : target_.clips)
            if (other.name == clip.name) return reject("/name", "is the name of another clip");
    }

    bool read_source(const json::object& object, UserClip& clip)
    {
        const auto* value = object.if_contains("clip");
        std::string text;
        if (value != nullptr && value->is_string()) text = std::string(value->as_string());
        if (value != nullptr && value->is_int64()) text = std::to_string(value->as_int64());
        if (text.empty()) {
            reject("/clip", "must be the id, the index or the name of a clip");
            return false;
        }
        const auto found = resolve_clip(*target_.scene, text);
        if (!found && text == "frames" && scene::count_file_frames(*target_.scene) > 1) {
            clip.clip = scene::none; // all frames of the file
            return true;
        }
        if (!found)
            reject("/clip", "does not identify exactly one clip of this asset");
        else if (*found >= target_.file_clips)
            reject("/clip", "is a user clip: name a clip of the file");
        else
            clip.clip = *found;
        return found && *found < target_.file_clips;
    }

    void read_frames(const json::object& object, UserClip& clip)
    {
        const bool of_file = clip.clip == scene::none;
        const auto& source = target_.scene->clips[of_file ? 0 : clip.clip];
        const auto last = of_file ? scene::count_file_frames(*target_.scene) - 1 : last_frame_of(source);
        const auto first_frame = read_frame(object, "firstFrame", last);
        const auto last_frame = read_frame(object, "lastFrame", last);
        if (first_frame && last_frame && *first_frame >= *last_frame)
            reject("/lastFrame", "must be greater than firstFrame");
        clip.first_frame = first_frame.value_or(0);
        clip.last_frame = last_frame.value_or(0);
        clip.frame_rate = scene::frame_rate_or_default(source);
        const auto* rate = object.if_contains("frameRate");
        if (rate == nullptr) return;
        clip.frame_rate = rate->is_number() ? rate->to_number<double>() : 0.0;
        if (!(clip.frame_rate >= min_frame_rate && clip.frame_rate <= max_frame_rate))
            reject("/frameRate",
                   fmt::format("must be a number from {} to {}", min_frame_rate, max_frame_rate));
    }

    std::optional<std::uint32_t> read_frame(const json::object& object, const std::string& name,
                                            std::uint32_t last)
    {
        const auto* value = object.if_contains(name);
        const bool is_frame = value != nullptr && value->is_int64() && value->as_int64() >= 0 &&
                              value->as_int64() <= std::int64_t{last};
        if (!is_frame) {
            reject("/" + name, fmt::format("must be a frame of the clip, 0 to {}", last));
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(value->as_int64());
    }

    const EditTarget& target_;
    std::string at_;
    api::Problem& problem_;
};

// Accepts {"items": [...]} or one clip.
std::optional<api::Problem> add_from(const std::string& body, EditTarget& target)
{
    boost::system::error_code error;
    const auto value = json::parse(body, error);
    if (error || !value.is_object())
        return api::Problem{.status = 400, .code = "bad_json", .detail = "The body must be one JSON object."};
    api::Problem rejection{.status = 422, .code = "bad_clip", .detail = "The clips are not valid."};
    const auto* items = value.as_object().if_contains("items");
    if (items != nullptr && !items->is_array()) {
        rejection.errors.push_back({.pointer = "/items", .detail = "items must be an array"});
        return rejection;
    }
    const json::array requested = items != nullptr ? items->as_array() : json::array{value};
    if (target.clips.size() + requested.size() > max_user_clips)
        return api::Problem{.status = 413,
                            .code = "limit_exceeded",
                            .detail =
                                fmt::format("An asset can have at most {} user clips.", max_user_clips)};
    for (std::size_t i = 0; i < requested.size(); ++i) {
        ClipReader reader(target, items != nullptr ? fmt::format("/items/{}", i) : "", rejection);
        target.clips.push_back(reader.read(requested[i]));
    }
    return rejection.errors.empty() ? std::nullopt : std::optional(rejection);
}

std::string if_match_of(const Request& request)
{
    std::string text(request.headers.find("If-Match").value_or(""));
    return text == "*" ? std::string() : text;
}

// Returns the clips after the change.
HandlerResult change(const Request& request, const EditTarget& target, Context& context)
{
    auto changed =
        set_user_clips(context.services, target.asset, target.scene, target.clips, if_match_of(request));
    if (!changed) return problem(changed.error());
    auto text = context.services.catalog.find_document(changed->id, changed->version, AssetDocument::clips);
    if (!text) return problem(404, "not_found", "The asset was deleted during the change.");
    auto response = json_text_response(*text);
    add_caching(response, changed->etag());
    return response;
}

} // namespace

HandlerResult add_clips(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto target = find_edit_target(request, context);
    if (!target) return std::unexpected(target.error());
    if (auto rejection = add_from(request.body, *target)) return std::unexpected(*rejection);
    return change(request, *target, context);
}

HandlerResult delete_clip(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto target = find_edit_target(request, context);
    if (!target) return std::unexpected(target.error());
    const auto index = resolve_clip(*target->scene, request.param("clip"));
    if (!index) return std::unexpected(index.error());
    if (*index < target->file_clips)
        return problem(409, "clip_not_deletable",
                       "This clip belongs to the file; only user clips can be deleted.");
    target->clips.erase(target->clips.begin() + static_cast<std::ptrdiff_t>(*index - target->file_clips));
    return change(request, *target, context);
}

} // namespace vitrine::server
