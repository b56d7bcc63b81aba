// Members of a view message that say how the model is shown: materials, parts, skinning, overlays,
// background, instances.
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "server/preview/client_messages.hpp"
#include "server/preview/member_reader.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

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

} // namespace

void read_appearance(MemberReader& reader, std::span<const std::string> variants, ViewChange& view)
{
    read_variant(reader, variants, view);
    read_skinning(reader, view);
    read_look(reader, view);
    read_overlays(reader, view);
    read_background(reader, view);
    read_instances(reader, view);
}

} // namespace vitrine::server
