#include "server/preview/client_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/io/input.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/preview/member_reader.hpp"
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

std::expected<std::uint32_t, scene::ClipLookupError> look_up_clip(const std::vector<api::PreviewClip>& clips,
                                                                  std::string_view text)
{
    std::vector<std::string_view> names;
    for (const auto& clip : clips)
        names.emplace_back(clip.name);
    return scene::find_clip(names, text, scene::ClipLookup::exact);
}

} // namespace

std::optional<std::uint32_t> find_clip(const std::vector<api::PreviewClip>& clips, std::string_view text)
{
    const auto found = look_up_clip(clips, text);
    return found ? std::optional(*found) : std::nullopt;
}

bool names_other_clip(const std::vector<api::PreviewClip>& own, std::string_view text)
{
    if (!text.contains(':') || text.starts_with(scene::own_clip_mark) ||
        text.starts_with(scene::frame_range_prefix))
        return false;
    const auto found = look_up_clip(own, text);
    return !found && found.error() == scene::ClipLookupError::no_such_clip;
}

namespace {

constexpr std::string_view no_single_clip = "does not identify exactly one clip of this asset";

void read_clip_text(MemberReader& reader, std::string_view text, const api::PreviewInfo& info,
                    api::PreviewMotion& motion)
{
    if (text == scene::static_pose_word) return;
    if (const auto own = find_clip(info.clips, text)) {
        motion.clip = *own;
        return;
    }
    const bool is_range = text.starts_with(scene::frame_range_prefix);
    if (is_range)
        if (const auto fault = scene::find_frame_range_fault(text, info.frames))
            return reader.reject("clip", "cannot be played: " + *fault);
    if (!is_range && !names_other_clip(info.clips, text)) return reader.reject("clip", no_single_clip);
    motion.text = text;
}

void read_clip(MemberReader& reader, const api::PreviewInfo& info, ViewChange& view)
{
    const auto* value = reader.find("clip");
    if (!value) return;
    auto& motion = view.clip.emplace();
    if (value->is_null()) return;
    if (info.row) {
        if (const auto* text = value->if_string(); !text || std::string_view(*text) != api::row_motion)
            reader.reject("clip", "must be \"row\" or null; the member row has the clips of the models");
        motion.text = api::row_motion;
        return;
    }
    if (const auto* text = value->if_string()) return read_clip_text(reader, *text, info, motion);
    const auto index = reader.read_number(*value, "clip", 0.0, 4294967295.0);
    if (!index) return;
    if (*index != std::floor(*index) || *index >= static_cast<double>(info.clips.size()))
        return reader.reject("clip", no_single_clip);
    motion.clip = static_cast<std::uint32_t>(*index);
}

// `choices`: pairs of a word and its value.
template <class T, class Choices = std::initializer_list<std::pair<std::string_view, T>>>
void read_choice(MemberReader& reader, std::string_view name, std::optional<T>& out, const Choices& choices)
{
    auto text = reader.text(name);
    if (!text) return;
    std::string words;
    for (const auto& [key, value] : choices) {
        if (key == *text) out = value;
        words += (words.empty() ? "" : ", ") + std::string(key);
    }
    if (!out) reader.reject(name, "must be one of " + words);
}

// In a row, each model has these members in the query of the row.
void reject_of_one_model(MemberReader& reader, const ViewChange& view)
{
    const auto is_text = [](const auto& look) { return look && *look; };
    const auto is_list = [](const auto& texts) { return texts && !texts->empty(); };
    const std::array<std::pair<std::string_view, bool>, 12> members{{{"variant", is_text(view.variant)},
                                                                     {"skinning", is_text(view.skinning)},
                                                                     {"lod", is_text(view.lod)},
                                                                     {"hide", is_text(view.hide)},
                                                                     {"only", is_text(view.only)},
                                                                     {"surface", is_text(view.surface)},
                                                                     {"attach", is_list(view.attachments)},
                                                                     {"layers", is_list(view.layers)},
                                                                     {"turn", is_list(view.turns)},
                                                                     {"move", is_list(view.moves)},
                                                                     {"scale", is_list(view.scales)},
                                                                     {"reach", is_list(view.reaches)}}};
    for (const auto& [name, is_given] : members)
        if (is_given) reader.reject(name, "is of one model; name it in the member row");
}

void read_row(MemberReader& reader, const api::PreviewInfo& info, ViewChange& view)
{
    view.row = reader.text("row");
    if (!info.row && view.row) reader.reject("row", "is only taken by previews of several assets");
    if (info.row) reject_of_one_model(reader, view);
}

ClientMessage read_view_message(MemberReader& reader, const api::PreviewInfo& info)
{
    ViewChange view;
    if (auto input = reader.number("input", 0.0, 4294967295.0))
        view.input = static_cast<std::uint32_t>(*input);
    if (auto camera = reader.find("camera")) read_camera(reader, *camera, view);
    read_clip(reader, info, view);
    read_appearance(reader, info.variants, view);
    read_animation(reader, info.clips, view);
    read_row(reader, info, view);
    read_choice<FadeCurve>(reader, "fadeCurve", view.fade_curve,
                           {{"smooth", FadeCurve::smooth}, {"linear", FadeCurve::linear}});
    view.time = reader.number("time", -max_seconds, max_seconds);
    view.playing = reader.flag("playing");
    view.speed = reader.number("speed", -100.0, 100.0);
    read_choice<LoopMode>(
        reader, "loop", view.loop,
        {{"repeat", LoopMode::repeat}, {"pingpong", LoopMode::pingpong}, {"once", LoopMode::once}});
    view.width = reader.number("width", 1.0, max_pixels);
    view.height = reader.number("height", 1.0, max_pixels);
    view.device_pixel_ratio = reader.number("devicePixelRatio", 0.1, 8.0);
    read_choice(reader, "light", view.light, render::lighting_words);
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
