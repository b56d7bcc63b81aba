#include "server/services/events/record_json.hpp"

#include <optional>
#include <string>

#include <boost/json/parse.hpp>

#include "api/json_text.hpp"

namespace json = boost::json;

namespace vitrine::server {
namespace {

json::value instant(Micros value)
{
    return value == 0 ? json::value(nullptr) : json::value(to_rfc3339(value));
}

json::value problem_or_null(const std::optional<ProblemRecord>& problem)
{
    return problem ? json::value(to_json(*problem)) : json::value(nullptr);
}

json::object counts_json(const Counts& counts)
{
    return {{"meshes", counts.meshes},       {"vertices", counts.vertices}, {"polygons", counts.polygons},
            {"triangles", counts.triangles}, {"joints", counts.joints},     {"clips", counts.clips},
            {"materials", counts.materials}, {"images", counts.images}};
}

json::object links_json(const std::string& id)
{
    const std::string self = "/v1/assets/" + id;
    json::object links{{"self", self}};
    for (const char* name : {"files", "thumbnail", "sprite", "skeleton", "clips", "bounds", "preview"})
        links[name] = self + "/" + name;
    return links;
}

// Adds the members of an imported asset. The summary is JSON that the import wrote.
void add_imported(json::object& object, const AssetRecord& asset)
{
    object["generator"] = asset.generator;
    object["counts"] = counts_json(asset.counts);
    boost::system::error_code error;
    auto summary = json::parse(asset.summary, error);
    if (error || !summary.is_object()) return;
    for (auto& member : summary.get_object())
        object[member.key()] = std::move(member.value());
}

} // namespace

json::object to_json(const ProblemRecord& problem)
{
    return {{"code", problem.code}, {"where", problem.where}, {"detail", problem.detail}};
}

json::object to_json(const AssetRecord& asset)
{
    json::object object{{"id", asset.id},
                        {"name", asset.name},
                        {"format", nullptr},
                        {"status", to_string(asset.status)},
                        {"version", asset.version},
                        {"createdAt", instant(asset.created)},
                        {"updatedAt", instant(asset.updated)},
                        {"deletedAt", instant(asset.deleted)},
                        {"sizeBytes", asset.size_bytes},
                        {"mainFile", asset.main_file},
                        {"etag", asset.etag()},
                        {"job", asset.job},
                        {"problem", problem_or_null(asset.problem)},
                        {"hasThumbnail", asset.has_thumbnail},
                        {"links", links_json(asset.id)}};
    if (asset.format.empty()) return object;
    object["format"] = asset.format;
    add_imported(object, asset);
    return object;
}

json::object to_json(const JobRecord& job)
{
    return {{"id", job.id},
            {"kind", job.kind},
            {"asset", job.asset},
            {"state", to_string(job.state)},
            {"stage", to_string(job.stage)},
            {"progress", job.progress},
            {"attempts", job.attempts},
            {"problem", problem_or_null(job.problem)},
            {"createdAt", instant(job.created)},
            {"startedAt", instant(job.started)},
            {"finishedAt", instant(job.finished)}};
}

void announce(EventBus& events, std::string_view type, const AssetRecord& asset)
{
    auto body = type == "asset.deleted" ? json::object{{"id", asset.id}} : to_json(asset);
    events.publish(type, api::to_text(json::object{{"asset", std::move(body)}}));
}

void announce(EventBus& events, const JobRecord& job)
{
    events.publish("job", api::to_text(json::object{{"job", to_json(job)}}));
}

} // namespace vitrine::server
