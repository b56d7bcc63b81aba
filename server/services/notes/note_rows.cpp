#include "server/services/notes/note_rows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "api/json_text.hpp"

using soci::into;

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object point_json(const SurfacePoint& point)
{
    return {{"node", point.node},
            {"mesh", point.mesh},
            {"primitive", point.primitive},
            {"triangle", point.triangle},
            {"barycentric", json::array(point.barycentric.begin(), point.barycentric.end())}};
}

json::value place_json(const std::optional<NotePlace>& place)
{
    if (!place) return nullptr;
    return json::object{{"clip", place->clip.empty() ? json::value(nullptr) : json::value(place->clip)},
                        {"time", place->time},
                        {"point", place->point ? json::value(point_json(*place->point)) : nullptr}};
}

// Of place_text().
std::optional<NotePlace> parse_place(const std::string& text)
{
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error || !value.is_object()) return std::nullopt;
    NotePlace place{.time = value.at("time").to_number<double>()};
    if (const auto* const clip = value.at("clip").if_string()) place.clip = *clip;
    place.topology = value.at("topology").as_string();
    if (const auto* const point = value.at("point").if_object()) {
        const auto index = [&](const char* name) { return point->at(name).to_number<std::uint32_t>(); };
        SurfacePoint found{index("node"), index("mesh"), index("primitive"), index("triangle"), {}};
        for (std::size_t i = 0; i < found.barycentric.size(); ++i)
            found.barycentric[i] = point->at("barycentric").at(i).to_number<double>();
        place.point = found;
    }
    return place;
}

} // namespace

std::string place_text(const std::optional<NotePlace>& place)
{
    if (!place) return {};
    auto object = place_json(place).as_object();
    object["topology"] = place->topology;
    return api::to_text(object);
}

std::vector<Note> fetch_notes(DatabaseConnection& sql, const std::string& rest, Binds& binds)
{
    Note row;
    std::string place;
    long long version = 0, resolved = 0, created = 0, updated = 0, revision = 0;
    soci::statement rows(sql);
    for (auto* text :
         {&row.id, &row.asset, &row.asset_name, &row.author, &row.author_name, &row.text, &place})
        rows.exchange(into(*text));
    for (auto* number : {&version, &resolved, &created, &updated, &revision})
        rows.exchange(into(*number));
    binds.attach(rows);
    rows.alloc();
    rows.prepare(
        "SELECT n.id, n.asset, a.name, n.author, n.author_name, n.text, n.place, n.version, "
        "n.resolved, n.created, n.updated, n.revision FROM notes n JOIN assets a ON a.id = n.asset " +
        rest);
    rows.define_and_bind();
    std::vector<Note> found;
    for (rows.execute(); rows.fetch();) {
        row.version = static_cast<std::uint32_t>(version);
        row.is_resolved = resolved != 0;
        row.created = created;
        row.updated = updated;
        row.revision = revision;
        row.place = parse_place(place);
        found.push_back(row);
    }
    return found;
}

std::optional<Note> find_note_row(DatabaseConnection& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_notes(sql, "WHERE n.id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

boost::json::object to_json(const Note& note)
{
    return {{"id", note.id},
            {"asset", note.asset},
            {"assetName", note.asset_name},
            {"version", note.version},
            {"author", {{"id", note.author}, {"name", note.author_name}}},
            {"text", note.text},
            {"resolved", note.is_resolved},
            {"place", place_json(note.place)},
            {"createdAt", api::to_rfc3339(note.created)},
            {"updatedAt", api::to_rfc3339(note.updated)},
            {"etag", note.etag()}};
}

} // namespace vitrine::server
