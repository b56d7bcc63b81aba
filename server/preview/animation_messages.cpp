// The motion in messages of the viewer: layers, adjusted joints, reaches, attachments.
#include <array>
#include <functional>
#include <limits>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/preview/member_reader.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr double max_fade_seconds = 10.0;
constexpr double max_value = std::numeric_limits<double>::max(); // the parsers of the texts have the limits
constexpr std::string_view layer_marks = "@*~!";

// A name, or the number of a clip or node.
std::string name_or_number(MemberReader& reader, const json::value& value, std::string_view member)
{
    if (const auto* text = value.if_string()) return std::string(*text);
    if (const auto* number = value.if_int64(); number && *number >= 0) return std::to_string(*number);
    reader.reject(member, "must be a name or a number from 0");
    return {};
}

std::string required_name(MemberReader& reader, std::string_view member)
{
    const auto* value = reader.find(member);
    if (value) return name_or_number(reader, *value, member);
    reader.reject(member, "is missing");
    return {};
}

// "x,y,z"; empty without the member.
std::string triple(MemberReader& reader, std::string_view member)
{
    const auto* value = reader.find(member);
    if (!value) return {};
    const auto* list = value->if_array();
    if (!list || list->size() != 3) {
        reader.reject(member, "must be three numbers");
        return {};
    }
    std::array<double, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = reader.read_number((*list)[i], member, -max_value, max_value).value_or(0.0);
    return fmt::format("{},{},{}", numbers[0], numbers[1], numbers[2]);
}

// A name as a part of the text of a layer, which ends names at its marks.
std::string part_of_layer(MemberReader& reader, std::string name, std::string_view member)
{
    if (name.find_first_of(layer_marks) != std::string::npos)
        reader.reject(member, "has @ * ~ or ! in its name: use its number");
    return name;
}

// A clip in the text of a layer: by its id if it is one of the asset's.
std::string clip_in_layer(MemberReader& reader, std::string name, const std::vector<api::PreviewClip>& clips,
                          std::string_view member)
{
    if (const auto clip = find_clip(clips, name)) name = scene::clip_id(*clip);
    return part_of_layer(reader, std::move(name), member);
}

// A clip, or {clip, time}: "=CLIP@SECONDS"; empty without the member.
std::string reference_text(MemberReader& reader, const std::vector<api::PreviewClip>& clips)
{
    const auto* value = reader.find("reference");
    if (!value) return {};
    const auto* object = value->if_object();
    if (!object)
        return "=" + clip_in_layer(reader, name_or_number(reader, *value, "reference"), clips, "reference");
    MemberReader members(*object);
    auto text = "=" + clip_in_layer(members, required_name(members, "clip"), clips, "clip");
    if (const auto time = members.number("time", -max_value, max_value)) text += fmt::format("@{}", *time);
    if (members.error()) reader.reject("reference", "has a member whose " + members.error()->detail);
    if (const auto unknown = members.unknown())
        reader.reject("reference", "has a member whose " + unknown->detail);
    return text;
}

// {clip, time, speed, weight, mask, mode, reference}
std::string layer_text(MemberReader& reader, const std::vector<api::PreviewClip>& clips)
{
    auto text = clip_in_layer(reader, required_name(reader, "clip"), clips, "clip");
    const auto number = [&](std::string_view member, std::string_view mark) {
        if (const auto value = reader.number(member, -max_value, max_value))
            text += fmt::format("{}{}", mark, *value);
    };
    number("time", "@");
    number("speed", "@x");
    number("weight", "*");
    if (const auto* mask = reader.find("mask")) {
        const auto* joints = mask->if_array();
        if (!joints) reader.reject("mask", "must be an array of joints");
        for (const auto& joint : joints ? *joints : json::array())
            text += "~" + part_of_layer(reader, name_or_number(reader, joint, "mask"), "mask");
    }
    const auto mode = reader.text("mode");
    const auto reference = reference_text(reader, clips);
    if (mode == "add") text += "!add" + reference;
    if (mode != "add" && !reference.empty()) reader.reject("reference", "needs the mode add");
    if (mode && mode != "add" && mode != "override") reader.reject("mode", "must be override or add");
    return text;
}

// {joint, target, pole}
std::string reach_text(MemberReader& reader)
{
    if (!reader.find("target")) reader.reject("target", "is missing");
    auto text = required_name(reader, "joint") + ":" + triple(reader, "target");
    const auto pole = triple(reader, "pole");
    return pole.empty() ? text : text + "~" + pole;
}

// {asset, joint, offset, degrees}
std::string attach_text(MemberReader& reader)
{
    auto text = required_name(reader, "asset") + "@" + required_name(reader, "joint");
    const auto offset = triple(reader, "offset"), degrees = triple(reader, "degrees");
    if (!offset.empty() || !degrees.empty()) text += ":" + (offset.empty() ? "0,0,0" : offset);
    return degrees.empty() ? text : text + "," + degrees;
}

// {joint, turn, move, scale}
void add_joint(MemberReader& reader, ViewChange& view)
{
    const auto joint = required_name(reader, "joint") + ":";
    const auto add = [&](std::string_view member, std::optional<std::vector<std::string>>& list) {
        if (const auto values = triple(reader, member); !values.empty()) list->push_back(joint + values);
    };
    add("turn", view.turns);
    add("move", view.moves);
    add("scale", view.scales);
}

using ReadObject = std::function<std::string(MemberReader&)>;

std::string entry_text(MemberReader& outer, std::string_view name, const json::value& entry,
                       const ReadObject& read)
{
    if (const auto* text = entry.if_string()) return std::string(*text);
    const auto* object = entry.if_object();
    if (!object || !read) {
        outer.reject(name, read ? "must be an array of strings and objects" : "must be an array of strings");
        return {};
    }
    MemberReader reader(*object);
    auto text = read(reader);
    if (reader.error()) outer.reject(name, "has an entry whose " + reader.error()->detail);
    if (const auto unknown = reader.unknown()) outer.reject(name, "has an entry whose " + unknown->detail);
    return text;
}

std::optional<std::vector<std::string>> read_texts(MemberReader& reader, std::string_view name,
                                                   std::size_t most, const ReadObject& read = {})
{
    const auto* value = reader.find(name);
    if (!value) return std::nullopt;
    const auto* list = value->if_array();
    if (!list || list->size() > most) {
        reader.reject(name, fmt::format("must be an array of at most {} entries", most));
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const auto& entry : *list)
        texts.push_back(entry_text(reader, name, entry, read));
    return texts;
}

// `joints` is another form of the three lists together.
void read_joints(MemberReader& reader, ViewChange& view)
{
    view.turns = read_texts(reader, "turn", scene::max_adjustments);
    view.moves = read_texts(reader, "move", scene::max_adjustments);
    view.scales = read_texts(reader, "scale", scene::max_adjustments);
    if (!reader.find("joints")) return;
    if (view.turns || view.moves || view.scales)
        return reader.reject("joints", "replaces turn, move and scale, which must be absent");
    view.turns.emplace();
    view.moves.emplace();
    view.scales.emplace();
    read_texts(reader, "joints", scene::max_adjustments, [&](MemberReader& joint) {
        add_joint(joint, view);
        return std::string();
    });
}

} // namespace

void read_animation(MemberReader& reader, const std::vector<api::PreviewClip>& clips, ViewChange& view)
{
    view.layers = read_texts(reader, "layers", scene::max_layers,
                             [&](MemberReader& layer) { return layer_text(layer, clips); });
    read_joints(reader, view);
    view.reaches = read_texts(reader, "reach", scene::max_reaches, reach_text);
    view.attachments = read_texts(reader, "attach", scene::max_attachments, attach_text);
    for (const auto& text : view.attachments.value_or(std::vector<std::string>()))
        if (const auto place = scene::parse_attach(text); !place) reader.reject("attach:", place.error());
    view.fade = reader.number("fade", 0.0, max_fade_seconds);
}

} // namespace vitrine::server
