// Notes of one asset, with the places that they have on its surface.
#include <algorithm>
#include <map>
#include <optional>

#include <boost/json/array.hpp>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/handlers/notes/note_body.hpp"
#include "server/handlers/notes/note_query.hpp"
#include "server/handlers/notes/note_routes.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_place_times = 1'000;
constexpr std::size_t max_place_positions = 50'000; // of one response
constexpr double max_place_time = 4'294'967'295.0;

// The asset {id}, in version {n} if the path names one.
std::expected<AssetRecord, api::Problem> require_noted(const Request& request, Context& context)
{
    const auto& catalog = context.services.catalog;
    const auto& id = request.param("id");
    const auto named = std::ranges::find(request.params, "n", &decltype(request.params)::value_type::first);
    auto asset = named == request.params.end()
                     ? catalog.find_asset(id)
                     : catalog.find_version(id, parse_whole<std::uint32_t>(named->second).value_or(0));
    if (!asset) return problem(asset.error());
    if (asset->deleted != 0) return problem(404, "asset_in_trash", "This asset is in the trash.");
    return std::move(*asset);
}

// t=SECONDS, several separated by commas, or from/to/step.
std::vector<double> read_place_times(QueryReader& reader)
{
    const auto text = reader.text("t").value_or("");
    if (text.empty()) return {};
    if (!text.contains('/')) {
        auto times = reader.numbers("t", 1, max_place_times).value_or(std::vector<double>{});
        if (std::ranges::any_of(times, [](double t) { return t < 0.0 || t > max_place_time; }))
            reader.reject("t", "is out of range");
        return times;
    }
    const auto parts = reader.numbers("t", 3, 3, '/');
    std::vector<double> times;
    if (!parts) return times;
    const auto first = parts->at(0), last = parts->at(1), step = parts->at(2);
    if (!(first >= 0.0 && last >= first && last <= max_place_time && step > 0.0 &&
          (last - first) / step < static_cast<double>(max_place_times))) {
        reader.reject("t", "must be from/to/step of at most 1000 times");
        return times;
    }
    for (std::size_t i = 0; first + static_cast<double>(i) * step <= last + 1e-9; ++i)
        times.push_back(first + static_cast<double>(i) * step);
    return times;
}

std::expected<std::uint32_t, api::Problem> require_place_clip(const scene::Scene& scene,
                                                              const std::string& text)
{
    if (text.empty()) return scene::none;
    const auto clip = scene::find_clip(scene, text, scene::ClipLookup::exact);
    if (!clip) return problem(404, "no_clip", scene::no_clip_message(scene, text));
    return *clip;
}

json::array position_json(const glm::dvec3& position)
{
    return {position.x, position.y, position.z};
}

struct PosesOfPlaces {
    std::string clip{};
    std::vector<double> times{};
};

// Places on the surface of one Scene.
class Places {
public:
    Places(const scene::Scene& scene, std::uint32_t version) : scene_(scene), version_(version) {}

    // Whether the scene has the place of the note: it was made on this version, or on elements that are the
    // same.
    bool has(const Note& note)
    {
        if (!note.place->point) return note.version == version_;
        const auto& point = *note.place->point;
        if (note.version != version_ && topology(point.mesh) != note.place->topology) return false;
        return surface_point_fault(scene_, point).empty();
    }

private:
    const std::string& topology(std::uint32_t mesh)
    {
        const auto known = topologies_.find(mesh);
        if (known != topologies_.end()) return known->second;
        return topologies_.emplace(mesh, topology_of(scene_, mesh)).first->second;
    }

    const scene::Scene& scene_;
    std::uint32_t version_;
    std::map<std::uint32_t, std::string> topologies_;
};

// Adds `position` and, with times, `positions`. Errors: no_clip, too_much_work, too_many_positions.
std::optional<api::Problem> add_positions(const scene::Scene& scene, const std::vector<Note>& notes,
                                          json::array& items, const PosesOfPlaces& poses)
{
    std::vector<SurfacePoint> points;
    std::vector<std::size_t> of_point; // index of the note
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (items[i].at("place").is_null() || !notes[i].place->point) continue;
        points.push_back(*notes[i].place->point);
        of_point.push_back(i);
    }
    if (points.size() * poses.times.size() > max_place_positions)
        return problem(413, "too_many_positions", "Too many positions; request fewer times or notes.")
            .error();
    const auto clip = require_place_clip(scene, poses.clip);
    if (!clip) return clip.error();
    const auto add = [&](std::uint32_t of, std::span<const double> times, const auto& write) {
        const auto tracks = follow_points(scene, points, of, times);
        if (!tracks) return std::optional(to_problem(tracks.error()));
        for (std::size_t i = 0; i < points.size(); ++i)
            write(items[of_point[i]].as_object(), tracks->at(i));
        return std::optional<api::Problem>();
    };
    const double any = 0.0;
    auto failed = add(scene::none, std::span(&any, 1), [](json::object& item, const PointTrack& track) {
        item["position"] = position_json(track.front());
    });
    if (failed || poses.times.empty()) return failed;
    return add(*clip, poses.times, [&](json::object& item, const PointTrack& track) {
        json::array positions;
        for (std::size_t i = 0; i < poses.times.size(); ++i) // the static pose has one
            positions.push_back(position_json(track[std::min(i, track.size() - 1)]));
        item["positions"] = std::move(positions);
    });
}

bool has_place(const Note& note)
{
    return note.place.has_value();
}

// Whether a later request may succeed.
bool is_transient(const ServiceError& error)
{
    return error.kind == Errc::busy || error.kind == Errc::not_ready || error.kind == Errc::unavailable;
}

std::optional<api::Problem> add_places(const AssetRecord& asset, const std::vector<Note>& notes,
                                       json::array& items, const PosesOfPlaces& poses, Context& context)
{
    if (std::ranges::none_of(notes, has_place)) return std::nullopt;
    const auto scene = context.services.scenes.load(asset);
    if (!scene && is_transient(scene.error())) return to_problem(scene.error());
    if (!scene) { // the file cannot be read any more: notes without their places
        for (auto& item : items)
            item.as_object()["place"] = nullptr;
        return std::nullopt;
    }
    Places places(**scene, asset.version);
    for (std::size_t i = 0; i < notes.size(); ++i)
        if (notes[i].place && !places.has(notes[i])) items[i].as_object()["place"] = nullptr;
    return add_positions(**scene, notes, items, poses);
}

// Finds the clip and the point of a new note in the Scene, and completes the place.
std::optional<api::Problem> complete_place(NotePlace& place, const scene::Scene& scene)
{
    const auto clip = require_place_clip(scene, place.clip);
    if (!clip) return clip.error();
    place.clip = *clip == scene::none ? std::string() : scene::clip_id(*clip);
    if (!place.point) return std::nullopt;
    if (const auto fault = surface_point_fault(scene, *place.point); !fault.empty())
        return problem(422, "not_in_model", "The place " + fault + ".").error();
    place.topology = topology_of(scene, place.point->mesh);
    return std::nullopt;
}

} // namespace

HandlerResult list_asset_notes(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_note_query(reader, request.principal);
    PosesOfPlaces poses{.clip = reader.text("clip").value_or(""), .times = read_place_times(reader)};
    if (poses.clip == scene::static_pose_word) poses.clip.clear();
    if (!poses.clip.empty() && poses.times.empty()) poses.times = {0.0};
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto asset = require_noted(request, context);
    if (!asset) return std::unexpected(asset.error());
    query.asset = asset->id;
    const auto page = context.services.notes.list(query);
    if (!page) return problem(page.error());
    json::array items;
    for (const auto& note : page->items) {
        auto item = to_json(note);
        item["hasPlace"] = note.place.has_value();
        item["position"] = nullptr;
        items.push_back(std::move(item));
    }
    if (auto failed = add_places(*asset, page->items, items, poses, context)) return std::unexpected(*failed);
    return page_response(request, std::move(items), page->next);
}

HandlerResult create_note(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    auto members = read_note_body(*body, true);
    if (!members) return std::unexpected(members.error());
    const auto asset = require_noted(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (members->place) {
        const auto scene = context.services.scenes.load(*asset);
        if (!scene) return problem(scene.error());
        if (auto failed = complete_place(*members->place, **scene)) return std::unexpected(*failed);
    }
    Note wanted;
    wanted.asset = asset->id;
    wanted.version = asset->version;
    wanted.author = to_text(request.principal);
    wanted.author_name = request.principal.name;
    wanted.text = *members->text;
    wanted.place = members->place;
    const auto note = context.services.notes.create(wanted);
    if (!note) return problem(note.error());
    auto response = json_response(201, to_json(*note));
    response.headers.add("Location", "/v1/notes/" + note->id);
    return response;
}

} // namespace vitrine::server
