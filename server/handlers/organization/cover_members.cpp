// The member `cover` of a change of an asset.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/handlers/organization/fact_members.hpp"
#include "server/routing/problems.hpp"
#include "server/services/catalog/cover.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

constexpr double max_cover_seconds = 4294967295.0; // as of images
constexpr std::size_t max_cover_text_bytes = 1024; // of a name

std::optional<double> read_number(BodyMembers& members, std::string_view name, double min, double max)
{
    const auto* value = members.find(name);
    if (!value || value->is_null()) return std::nullopt;
    const double number = value->is_number() ? value->to_number<double>() : NAN;
    if (number >= min && number <= max) return number;
    members.reject(name, fmt::format("must be a number from {} to {}", min, max));
    return std::nullopt;
}

std::optional<glm::dvec3> read_target(BodyMembers& members)
{
    const auto* value = members.find("target");
    if (!value || value->is_null()) return std::nullopt;
    const auto* array = value->if_array();
    const auto is_coordinate = [](const boost::json::value& x) {
        return x.is_number() && std::abs(x.to_number<double>()) <= render::max_meters;
    };
    if (!array || array->size() != 3 || !std::ranges::all_of(*array, is_coordinate)) {
        members.reject("target", "must be an array of three coordinates in meters");
        return std::nullopt;
    }
    const auto number = [&](std::size_t i) { return array->at(i).to_number<double>(); };
    return glm::dvec3(number(0), number(1), number(2));
}

std::string read_word(BodyMembers& members, std::string_view name)
{
    auto text = members.text_or_null(name).value_or("");
    if (text.size() > max_cover_text_bytes)
        members.reject(name, fmt::format("must have at most {} bytes", max_cover_text_bytes));
    return text;
}

void check_words(BodyMembers& members, const Cover& cover)
{
    if (!cover.view.empty() && !render::parse_camera(cover.view))
        members.reject("view", "must be " + render::camera_words());
    std::optional<glm::vec4> color;
    if (!cover.background.empty() && !render::parse_background(cover.background, color))
        members.reject("background", fmt::format("must be {}", render::background_words));
    if (cover.target && (cover.view.empty() || cover.view == "auto"))
        members.reject("target", "needs a view other than auto");
    if (cover.time && cover.clip.empty()) members.reject("time", "needs a clip");
}

Cover read_object(BodyMembers& members)
{
    Cover cover{.view = read_word(members, "view"),
                .target = read_target(members),
                .fov = read_number(members, "fov", 1.0, 170.0),
                .ortho = members.flag("ortho").value_or(false),
                .clip = read_word(members, "clip"),
                .time = read_number(members, "time", 0.0, max_cover_seconds),
                .background = read_word(members, "background"),
                .variant = read_word(members, "variant")};
    check_words(members, cover);
    return cover;
}

} // namespace

std::expected<std::optional<std::string>, api::Problem> read_cover(BodyMembers& members,
                                                                   const std::string& asset, Context& context)
{
    const auto* value = members.find("cover");
    if (!value) return std::nullopt;
    if (value->is_null()) return std::string();
    if (!value->is_object()) {
        members.reject("cover", "must be an object or null");
        return std::nullopt;
    }
    BodyMembers inner(value->get_object(), "/cover");
    auto cover = read_object(inner);
    const auto found = context.services.catalog.find_asset(asset);
    if (!found) return problem(found.error());
    if (const auto resolved = resolve_cover(cover, *found, context.services.catalog); !resolved) {
        if (resolved.error().kind != Errc::invalid) return problem(resolved.error());
        inner.reject(resolved.error().where, resolved.error().detail);
    }
    members.merge(inner);
    return cover_text(cover);
}

} // namespace vitrine::server
