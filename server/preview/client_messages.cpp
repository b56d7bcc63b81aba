#include "server/preview/client_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/io/input.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "server/preview/member_reader.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr double max_angle = 1e6;
constexpr double max_seconds =
    std::numeric_limits<decltype(Limits::clip_seconds)>::max(); // upper limit of all clips
constexpr double max_pixels = 16'384;
constexpr double max_steps = 1000;

std::optional<glm::vec3> read_vec3(MemberReader& reader, const json::value& value, std::string_view name)
{
    auto list = value.if_array();
    if (!list || list->size() != 3) {
        reader.reject(name, "must be three numbers");
        return std::nullopt;
    }
    glm::vec3 point(0.0f);
    for (std::size_t i = 0; i < 3; ++i) {
        auto number = reader.read_number((*list)[i], name, -render::max_meters, render::max_meters);
        point[static_cast<glm::length_t>(i)] = static_cast<float>(number.value_or(0.0));
    }
    return point;
}

void read_camera(MemberReader& outer, const json::value& value, ViewChange& view)
{
    auto object = value.if_object();
    if (!object) return outer.reject("camera", "must be an object");
    MemberReader reader(*object);
    if (auto yaw = reader.number("yaw", -max_angle, max_angle)) view.yaw = static_cast<float>(*yaw);
    if (auto pitch = reader.number("pitch", -max_angle, max_angle)) view.pitch = static_cast<float>(*pitch);
    view.orthographic = reader.flag("orthographic");
    if (auto distance = reader.find("distance")) {
        view.distance.emplace();
        if (!distance->is_null()) {
            auto meters = reader.read_number(*distance, "camera.distance", 1e-9, render::max_meters);
            *view.distance = static_cast<float>(meters.value_or(1.0));
        }
    }
    if (auto target = reader.find("target")) {
        view.target.emplace();
        if (!target->is_null()) *view.target = read_vec3(reader, *target, "camera.target");
    }
    if (reader.error()) outer.reject("camera:", reader.error()->detail);
}

} // namespace

std::optional<std::uint32_t> find_clip(const std::vector<api::PreviewClip>& clips, std::string_view text)
{
    std::vector<std::string_view> names;
    for (const auto& clip : clips)
        names.emplace_back(clip.name);
    const auto found = scene::find_clip(names, text, scene::ClipLookup::exact);
    return found ? std::optional(*found) : std::nullopt;
}

namespace {

void read_clip(MemberReader& reader, const api::PreviewInfo& info, ViewChange& view)
{
    const auto& clips = info.clips;
    auto value = reader.find("clip");
    if (!value) return;
    view.clip.emplace();
    if (value->is_null()) return;
    if (const auto* text = value->if_string()) {
        if (*text == scene::static_pose_word) return;
        *view.clip = find_clip(clips, *text);
        const bool is_range = std::string_view(*text).starts_with(scene::frame_range_prefix);
        if (!*view.clip && is_range) {
            if (const auto fault = scene::find_frame_range_fault(*text, info.frames))
                return reader.reject("clip", "cannot be played: " + *fault);
            view.frame_range = std::string(*text);
            return;
        }
    } else {
        auto index = reader.read_number(*value, "clip", 0.0, 4294967295.0);
        if (!index) return;
        bool known = *index == std::floor(*index) && *index < static_cast<double>(clips.size());
        if (known) *view.clip = static_cast<std::uint32_t>(*index);
    }
    if (!*view.clip) reader.reject("clip", "does not identify exactly one clip of this asset");
}

// `skin` means the same.
void read_variant(MemberReader& reader, std::span<const std::string> variants, ViewChange& view)
{
    for (const std::string_view member : {"variant", "skin"}) {
        auto value = reader.find(member);
        if (!value) continue;
        view.variant.emplace();
        if (value->is_null()) continue;
        const auto* text = value->if_string();
        if (!text) return reader.reject(member, "must be a string or null");
        *view.variant = scene::find_variant(variants, *text);
        if (!*view.variant) reader.reject(member, "is not a material variant of this asset");
    }
}

// The text of a number, a name or a list of both.
std::string look_text(MemberReader& reader, const json::value& value, std::string_view member)
{
    if (const auto* text = value.if_string()) return std::string(*text);
    if (const auto* number = value.if_int64(); number && *number >= 0) return std::to_string(*number);
    const auto* list = value.if_array();
    const bool is_list = list && !list->empty() && list->size() <= scene::max_look_names;
    if (!is_list) reader.reject(member, "must be a name, a number, a list of them or null");
    std::string text;
    for (const auto& entry : is_list ? *list : json::array()) {
        const bool is_name = entry.is_string() && !std::string_view(entry.as_string()).contains(',');
        if (!is_name && !(entry.is_int64() && entry.as_int64() >= 0))
            reader.reject(member, "has an entry that is not a number or a name without a comma");
        else
            text += (text.empty() ? "" : ",") +
                    (is_name ? std::string(entry.as_string()) : std::to_string(entry.as_int64()));
    }
    return text;
}

void read_look(MemberReader& reader, ViewChange& view)
{
    const auto read = [&](std::string_view member, std::optional<std::optional<std::string>>& change) {
        const auto* value = reader.find(member);
        if (!value) return;
        change.emplace();
        if (!value->is_null()) *change = look_text(reader, *value, member);
    };
    read("lod", view.lod);
    read("hide", view.hide);
    read("only", view.only);
    read("surface", view.surface);
}

void read_skinning(MemberReader& reader, ViewChange& view)
{
    auto value = reader.find("skinning");
    if (!value) return;
    view.skinning.emplace();
    if (value->is_null()) return;
    const auto* text = value->if_string();
    for (const auto& [word, method] : scene::skinning_words)
        if (text && *text == word) *view.skinning = method;
    if (!*view.skinning) reader.reject("skinning", "must be linear, dual_quaternion, blended or null");
}

void read_overlays(MemberReader& reader, ViewChange& view)
{
    auto value = reader.find("overlays");
    if (!value) return;
    auto list = value->if_array();
    if (!list || list->size() > 16) return reader.reject("overlays", "must be an array of names");
    view.overlays.emplace();
    for (const auto& name : *list)
        if (!name.is_string() || !render::add_overlay(std::string_view(name.as_string()), *view.overlays))
            return reader.reject("overlays", "takes " + render::overlays_help());
}

void read_background(MemberReader& reader, ViewChange& view)
{
    auto value = reader.find("background");
    if (!value) return;
    view.background.emplace();
    if (value->is_null()) return;
    auto text = value->if_string();
    if (!text || !render::parse_background(std::string_view(*text), *view.background))
        reader.reject("background", fmt::format("must be {} or null", render::background_words));
}

void read_instances(MemberReader& reader, ViewChange& view)
{
    if (const auto crowd = reader.number("crowd", 1.0, render::max_crowd)) {
        if (*crowd != std::floor(*crowd)) return reader.reject("crowd", "must be a whole number");
        view.crowd = static_cast<std::uint32_t>(*crowd);
    }
    const auto* value = reader.find("ghosts");
    if (!value) return;
    const auto* text = value->if_string();
    if (text) view.ghosts = render::parse_ghosts(std::string_view(*text));
    if (value->is_null()) view.ghosts.emplace();
    if (!view.ghosts) reader.reject("ghosts", fmt::format("must be {} or null", render::ghosts_words()));
}

// `choices`: pairs of a word and its value.
template <class T, class Choices = std::initializer_list<std::pair<std::string_view, T>>>
void read_choice(MemberReader& reader, std::string_view name, std::optional<T>& out, const Choices& choices)
{
    auto text = reader.text(name);
    if (!text) return;
    for (const auto& [key, value] : choices) {
        if (key == *text) out = value;
    }
    if (!out) reader.reject(name, "is not a valid value");
}

ClientMessage read_view_message(MemberReader& reader, const api::PreviewInfo& info)
{
    ViewChange view;
    if (auto input = reader.number("input", 0.0, 4294967295.0))
        view.input = static_cast<std::uint32_t>(*input);
    if (auto camera = reader.find("camera")) read_camera(reader, *camera, view);
    read_clip(reader, info, view);
    read_variant(reader, info.variants, view);
    read_skinning(reader, view);
    read_look(reader, view);
    read_animation(reader, info.clips, view);
    view.time = reader.number("time", -max_seconds, max_seconds);
    view.playing = reader.flag("playing");
    view.speed = reader.number("speed", -100.0, 100.0);
    read_choice<LoopMode>(
        reader, "loop", view.loop,
        {{"repeat", LoopMode::repeat}, {"pingpong", LoopMode::pingpong}, {"once", LoopMode::once}});
    view.width = reader.number("width", 1.0, max_pixels);
    view.height = reader.number("height", 1.0, max_pixels);
    view.device_pixel_ratio = reader.number("devicePixelRatio", 0.1, 8.0);
    read_overlays(reader, view);
    read_background(reader, view);
    read_choice(reader, "light", view.light, render::lighting_words);
    read_instances(reader, view);
    view.moving = reader.flag("moving");
    return view;
}

ClientMessage read_ack(MemberReader& reader)
{
    if (!reader.find("sequence")) reader.reject("sequence", "is missing");
    auto sequence = reader.number("sequence", 0.0, 4294967295.0);
    return Ack{static_cast<std::uint32_t>(sequence.value_or(0.0))};
}

ClientMessage read_quality(MemberReader& reader)
{
    QualityChange quality;
    if (auto jpeg = reader.number("jpegQuality", 1.0, 100.0)) quality.jpeg_quality = static_cast<int>(*jpeg);
    quality.max_frames_per_second = reader.number("maxFramesPerSecond", 1.0, 60.0);
    return quality;
}

double read_share(MemberReader& reader, std::string_view name)
{
    if (!reader.find(name)) reader.reject(name, "is missing");
    return reader.number(name, 0.0, 1.0).value_or(0.0);
}

ClientMessage read_pick(MemberReader& reader)
{
    const auto id = reader.number("id", 0.0, 4294967295.0).value_or(0.0);
    return PickRequest{static_cast<std::uint32_t>(id), read_share(reader, "x"), read_share(reader, "y")};
}

ClientMessage read_step(MemberReader& reader)
{
    StepRequest step;
    std::optional<StepRequest::Unit> unit;
    if (reader.find("by"))
        read_choice<StepRequest::Unit>(
            reader, "by", unit, {{"key", StepRequest::Unit::key}, {"frame", StepRequest::Unit::frame}});
    step.unit = unit.value_or(step.unit);
    const auto steps = reader.number("steps", -max_steps, max_steps).value_or(1.0);
    if (steps != std::floor(steps)) reader.reject("steps", "must be a whole number");
    step.steps = static_cast<int>(steps);
    return step;
}

// Selects the first codec that this server supports; unknown names are skipped.
ClientMessage read_decoder(MemberReader& reader)
{
    constexpr std::array<std::pair<std::string_view, FrameCodec>, 3> known{
        {{"jpeg", FrameCodec::jpeg}, {"vp8", FrameCodec::vp8}, {"vp9", FrameCodec::vp9}}};
    const auto* value = reader.find("codecs");
    const auto* list = value ? value->if_array() : nullptr;
    if (!list || list->size() > 16 ||
        !std::ranges::all_of(*list, [](const json::value& entry) { return entry.is_string(); })) {
        reader.reject("codecs", "must be an array of names");
        return DecoderStart{};
    }
    for (const auto& entry : *list)
        for (const auto& [name, codec] : known)
            if (entry.as_string() == name) return DecoderStart{codec};
    return DecoderStart{};
}

} // namespace

std::expected<ParsedMessage, MessageError> parse_message(std::string_view text, const api::PreviewInfo& info)
{
    boost::system::error_code error;
    json::parse_options options;
    options.max_depth = 8;
    auto value = json::parse(json::string_view(text), error, {}, options);
    if (error || !value.is_object())
        return std::unexpected(MessageError{"bad_message", "a message must be a JSON object"});
    MemberReader reader(value.as_object());
    auto type = reader.text("type");
    ParsedMessage parsed;
    if (type == "view") {
        parsed.message = read_view_message(reader, info);
    } else if (type == "ack") {
        parsed.message = read_ack(reader);
    } else if (type == "quality") {
        parsed.message = read_quality(reader);
    } else if (type == "decoder") {
        parsed.message = read_decoder(reader);
    } else if (type == "pick") {
        parsed.message = read_pick(reader);
    } else if (type == "step") {
        parsed.message = read_step(reader);
    } else {
        return std::unexpected(
            MessageError{"unknown_type", "type must be view, ack, quality, decoder, pick or step"});
    }
    if (reader.error()) return std::unexpected(*reader.error());
    parsed.ignored = reader.unknown();
    return parsed;
}

} // namespace vitrine::server
