#pragma once
// Assets, jobs, files and versions as the API shows them, and their JSON. visit_columns() of a stored value
// calls visit(column, name, member) for each member: the column of the catalog's table ("a." assets, "v."
// versions; of a member with columns of its own their beginning), and the name in the JSON (empty: hidden).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "api/facts_version.hpp"

namespace vitrine::api {

using UnixMicros = std::int64_t; // microseconds since 1970-01-01T00:00:00Z; RFC 3339 in the JSON, null for 0
std::string to_rfc3339(UnixMicros instant); // UTC, milliseconds: "2026-11-20T17:44:05.123Z"

enum class AssetStatus : std::uint8_t { importing, ready, failed };
enum class JobState : std::uint8_t { queued, running, succeeded, failed, cancelled };
enum class JobStage : std::uint8_t { load, bounds, thumbnail, done };

std::string_view to_string(AssetStatus status);
std::string_view to_string(JobState state);
std::string_view to_string(JobStage stage);
std::optional<AssetStatus> find_asset_status(std::string_view name);
std::optional<JobState> find_job_state(std::string_view name);
std::optional<JobStage> find_job_stage(std::string_view name);

// Why an import failed.
struct ImportProblem {
    std::string code;
    std::string where; // location in the main file, or a file name
    std::string detail;

    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        visit("_code", "code", self.code);
        visit("_where", "where", self.where);
        visit("_detail", "detail", self.detail);
    }
};

struct Counts {
    std::uint64_t meshes = 0;                 // distinct geometry, not instances
    std::uint64_t vertices = 0, polygons = 0; // as stored in the file
    std::uint64_t triangles = 0, joints = 0;
    std::uint64_t clips = 0; // with at least one key
    std::uint64_t materials = 0, images = 0;

    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        visit("meshes", "meshes", self.meshes);
        visit("vertices", "vertices", self.vertices);
        visit("polygons", "polygons", self.polygons);
        visit("triangles", "triangles", self.triangles);
        visit("joints", "joints", self.joints);
        visit("clips", "clips", self.clips);
        visit("materials", "materials", self.materials);
        visit("images", "images", self.images);
    }
};

// What the import finds in the model. The JSON of an asset has these members after the import.
struct ImportedMembers {
    std::string format, generator; // empty before the import
    Counts counts;
    std::string summary; // text of summary_json(), whose members are members of the asset's JSON
    std::int64_t facts_version = api::facts_version; // of the code that has found this and the documents
    std::string file_license, file_author, file_source_url;    // declared by the file; empty: not declared
    std::int64_t extent = 0, warnings = 0, missing_images = 0; // extent: of `bounds`, micrometers

    bool has_current_facts() const { return facts_version == api::facts_version; }

    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        visit("v.format", "format", self.format);
        visit("v.generator", "generator", self.generator);
        visit("v.", "counts", self.counts);
        visit("v.summary", "", self.summary);
        visit("v.facts_version", "", self.facts_version);
        visit("v.license", "", self.file_license);
        visit("v.author", "", self.file_author);
        visit("v.source_url", "", self.file_source_url);
        visit("v.extent", "", self.extent);
        visit("v.warnings", "", self.warnings);
        visit("v.missing_images", "", self.missing_images);
    }
};

// An asset in one of its versions.
struct Asset : ImportedMembers {
    std::string id, name;
    AssetStatus status = AssetStatus::importing;
    std::uint32_t version = 1;
    std::int64_t revision = 1;                        // incremented by every change; the etag contains it
    UnixMicros created = 0, updated = 0, deleted = 0; // deleted: 0: not in the trash
    std::uint64_t size_bytes = 0;
    std::string main_file, job; // of the newest import
    std::optional<ImportProblem> problem;
    bool has_thumbnail = false, is_of_named_version = false; // then its links name the version; no column
    // tags: text of join_tags(); creator: to_text() of a principal; library: id of that with the main file.
    std::string tags, license, author, source_url, up_axis, creator, library;
    std::string cover, cover_key, field_values; // JSON; a hash of it, no column; JSON of custom fields

    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        visit("a.id", "id", self.id);
        visit("a.name", "name", self.name);
        visit("v.status", "status", self.status);
        visit("v.number", "version", self.version);
        visit("a.revision", "", self.revision);
        visit("a.created", "createdAt", self.created);
        visit("a.updated", "updatedAt", self.updated);
        visit("a.deleted", "deletedAt", self.deleted);
        visit("v.size_bytes", "sizeBytes", self.size_bytes);
        visit("v.main_file", "mainFile", self.main_file);
        visit("v.job", "job", self.job);
        visit("v.problem", "problem", self.problem);
        visit("v.thumbnail", "hasThumbnail", self.has_thumbnail);
        visit("a.tags", "", self.tags);
        visit("a.license", "", self.license);
        visit("a.author", "", self.author);
        visit("a.source_url", "", self.source_url);
        visit("a.cover", "", self.cover);
        visit("a.field_values", "", self.field_values);
        visit("v.up_axis", "", self.up_axis);
        visit("a.creator", "", self.creator);
        visit("a.library", "", self.library);
    }

    std::string etag() const; // strong entity tag with quotes
    std::string path() const; // of the asset, or of its version
};

struct Job {
    std::string id, kind = "import", asset; // of the asset its id
    std::uint32_t version = 1;
    JobState state = JobState::queued;
    JobStage stage = JobStage::load;
    double progress = 0.0; // 0..1
    std::uint32_t attempts = 0;
    std::string priority{"interactive"}; // or "bulk"
    UnixMicros next_attempt = 0; // of a queued job that was attempted: not before; 0: as soon as possible
    std::optional<ImportProblem> problem;
    UnixMicros created = 0, started = 0, finished = 0; // 0: not yet

    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        visit("id", "id", self.id);
        visit("kind", "kind", self.kind);
        visit("asset", "asset", self.asset);
        visit("version", "version", self.version);
        visit("state", "state", self.state);
        visit("stage", "stage", self.stage);
        visit("progress", "progress", self.progress);
        visit("attempts", "attempts", self.attempts);
        visit("priority", "priority", self.priority);
        visit("run_after", "nextAttemptAt", self.next_attempt);
        visit("problem", "problem", self.problem);
        visit("created", "createdAt", self.created);
        visit("started", "startedAt", self.started);
        visit("finished", "finishedAt", self.finished);
    }
};

struct Version {
    std::uint32_t number = 1;
    UnixMicros created = 0;
    std::uint64_t size_bytes = 0;
    std::string main_file;
    AssetStatus status = AssetStatus::importing;
    std::optional<ImportProblem> problem;
    std::string format, job;         // empty before the import; id of its newest import
    std::uint32_t restored_from = 0; // version with the same files; 0: they were uploaded
    std::string up_axis;             // as Asset::up_axis
    bool is_current = false;         // what requests without a version read
};

// An original file of an asset.
struct File {
    std::string name; // relative, '/' separated
    std::uint64_t size_bytes = 0;
    std::string sha256; // 64 hexadecimal digits
    bool is_main = false;
    std::string url;
};

struct SpriteManifest {
    std::string url;
    unsigned frames = 0, columns = 0, rows = 0;
    unsigned frame_width = 0, frame_height = 0; // pixels
    double duration = 0.0;                      // seconds
};

// A clip that fits a character, or a character that a clip fits.
struct FittingAsset {
    std::string asset, name;    // id and name
    boost::json::object clip{}; // of clip_row(); empty: a character
    double share = 0.0;         // 0..1
    bool by_role = false;       // else by the names of joints
};

boost::json::object to_json(const FittingAsset& fitting);
// The texts of the objects in a stored list, {"items": [...]}, found without parsing what is between them.
class ListItems {
public:
    explicit ListItems(std::string_view list); // must outlive the object
    std::string_view find(std::size_t index);  // empty: there are not as many

private:
    bool read_next();
    std::string_view list_;
    std::size_t at_;
    std::vector<std::string_view> items_; // found so far
};
// Returns {id, index, name, duration, frameRate} of a clip in the list of clips; empty if it is none.
boost::json::object clip_row(std::string_view clip);
boost::json::object to_json(const ImportProblem& problem);
boost::json::object to_json(const Counts& counts);
boost::json::object to_json(const Asset& asset);
// Returns the row of a list: an asset without its clips, units, generator and links.
boost::json::object row_json(const Asset& asset);
boost::json::object to_json(const Job& job);
boost::json::object to_json(const Version& version);
boost::json::object to_json(const File& file);
boost::json::object to_json(const SpriteManifest& manifest);

// Returns {"items": [...], "next": cursor or null}; `next` is empty on the last page.
boost::json::object list_json(boost::json::array items, const std::string& next = {});
// The same as text, of a JSON array as text.
std::string list_text(std::string_view items);
// Returns the text of a JSON object with the member `facts` that an asset without current facts has.
std::string with_stale_facts(std::string_view object, std::int64_t version);

// Returns list_json() of assets, files or versions.
template <class Item>
boost::json::object list_json(const std::vector<Item>& items, const std::string& next = {})
{
    boost::json::array list;
    for (const auto& item : items)
        list.push_back(to_json(item));
    return list_json(std::move(list), next);
}

// Returns list_json() of the rows of a page of assets, with its `offset`, `total`, `matches` (the name in
// which each item is found), `corrections` (of words of the search) and `facets` if it has them.
template <class Page>
boost::json::object asset_list_json(const Page& page)
{
    boost::json::array rows, corrections;
    for (std::size_t i = 0; i < page.items.size(); ++i) {
        auto row = row_json(page.items[i]);
        if (i < page.matches.size() && !page.matches[i].kind.empty())
            row["match"] = {{"in", page.matches[i].kind}, {"text", page.matches[i].text}};
        rows.push_back(std::move(row));
    }
    for (const auto& [typed, used] : page.corrections)
        corrections.push_back({{"typed", typed}, {"used", used}});
    auto list = list_json(std::move(rows), page.next);
    if (page.offset) list["offset"] = *page.offset;
    if (page.total) list["total"] = *page.total;
    if (!corrections.empty()) list["corrections"] = std::move(corrections);
    boost::json::object facets;
    for (const auto& facet : page.facets)
        for (auto& values = facets[facet.name].emplace_array(); const auto& [value, count] : facet.values)
            values.push_back({{"value", value}, {"count", count}});
    if (!facets.empty()) list["facets"] = std::move(facets);
    return list;
}

std::string thumbnail_pending_text();

// Returns the response to an upload, of values with these members.
template <class Created, class Ignored>
boost::json::object upload_json(const std::vector<Created>& created, const std::vector<Ignored>& ignored)
{
    boost::json::array items, left_out;
    for (const auto& one : created)
        items.push_back(boost::json::object{
            {"asset", to_json(one.asset)}, {"job", to_json(one.job)}, {"existing", one.existing}});
    for (const auto& one : ignored)
        left_out.push_back(boost::json::object{{"name", one.name}, {"reason", one.reason}});
    return {{"items", std::move(items)}, {"ignored", std::move(left_out)}};
}

// Return the data of events: {"asset": ...} ("asset.deleted": only the id), {"asset", "version"}, {"job"}.
std::string event_data(std::string_view type, const Asset& asset);
std::string event_data(const Asset& asset, const Version& version);
std::string event_data(const Job& job);

} // namespace vitrine::api
