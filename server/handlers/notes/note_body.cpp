#include "server/handlers/notes/note_body.hpp"

#include <cmath>
#include <limits>

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr double max_place_seconds = 4'294'967'295.0;

// Texts of notes keep their line breaks, also at the end of lines.
std::optional<std::string> read_note_text(BodyMembers& members)
{
    auto text = members.text("text");
    if (text) members.reject("text", note_text_fault(*text));
    return text;
}

double read_seconds(BodyMembers& members)
{
    const auto* const value = members.find("time");
    if (value == nullptr) return 0.0;
    const double seconds = value->is_number() ? value->to_number<double>() : -1.0;
    if (!(seconds >= 0.0 && seconds <= max_place_seconds))
        members.reject("time", "must be a number of seconds, not negative");
    return seconds;
}

void read_barycentric(BodyMembers& members, SurfacePoint& point)
{
    const auto* const value = members.find("barycentric");
    const auto* const list = value == nullptr ? nullptr : value->if_array();
    bool is_valid = list != nullptr && list->size() == point.barycentric.size();
    for (std::size_t i = 0; is_valid && i < point.barycentric.size(); ++i) {
        is_valid = list->at(i).is_number();
        if (is_valid) point.barycentric[i] = list->at(i).to_number<double>();
        is_valid = is_valid && std::isfinite(point.barycentric[i]);
    }
    if (!is_valid) members.reject("barycentric", "must be three numbers");
}

std::optional<SurfacePoint> read_point(BodyMembers& place)
{
    const auto* const value = place.find("point");
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (!value->is_object()) {
        place.reject("point", "must be an object");
        return std::nullopt;
    }
    BodyMembers members(value->get_object(), "/place/point");
    SurfacePoint point;
    const auto index = [&](std::string_view name) {
        members.require(name);
        const auto number = members.integer(name, std::numeric_limits<std::uint32_t>::max());
        return static_cast<std::uint32_t>(number.value_or(0));
    };
    point.node = index("node");
    point.mesh = index("mesh");
    point.primitive = index("primitive");
    point.triangle = index("triangle");
    read_barycentric(members, point);
    place.merge(members);
    return point;
}

std::optional<NotePlace> read_place(BodyMembers& body)
{
    const auto* const value = body.find("place");
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (!value->is_object()) {
        body.reject("place", "must be an object or null");
        return std::nullopt;
    }
    BodyMembers members(value->get_object(), "/place");
    NotePlace place;
    place.clip = members.text_or_null("clip").value_or("");
    place.time = read_seconds(members);
    place.point = read_point(members);
    body.merge(members);
    return place;
}

} // namespace

std::expected<NoteBody, api::Problem> read_note_body(const json::object& body, bool is_new)
{
    BodyMembers members(body);
    NoteBody note;
    if (is_new) members.require("text");
    note.text = read_note_text(members);
    if (is_new)
        note.place = read_place(members);
    else
        note.resolved = members.flag("resolved");
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    return note;
}

} // namespace vitrine::server
