#include "api/resources.hpp"

#include <array>
#include <ctime>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> asset_statuses{"importing", "ready", "failed"};
constexpr std::array<std::string_view, 5> job_states{"queued", "running", "succeeded", "failed", "cancelled"};
constexpr std::array<std::string_view, 4> job_stages{"load", "bounds", "thumbnail", "done"};

template <class Enum, std::size_t N>
std::optional<Enum> find_by_name(const std::array<std::string_view, N>& names, std::string_view name)
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

// RFC 3339, UTC, milliseconds: "2026-11-20T17:44:05.123Z".
std::string to_rfc3339(Micros instant)
{
    const std::time_t seconds = static_cast<std::time_t>(instant / 1'000'000);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                       utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, instant / 1000 % 1000);
}

json::value timestamp_or_null(Micros instant)
{
    return instant == 0 ? json::value(nullptr) : json::value(to_rfc3339(instant));
}

json::value problem_or_null(const std::optional<ImportProblem>& problem)
{
    return problem ? json::value(to_json(*problem)) : json::value(nullptr);
}

json::object links_json(const std::string& id)
{
    const std::string self = "/v1/assets/" + id;
    json::object links{{"self", self}};
    for (const char* name : {"files", "thumbnail", "sprite", "skeleton", "clips", "bounds", "preview"})
        links[name] = self + "/" + name;
    return links;
}

// Adds the members of an imported asset.
void add_imported(json::object& object, const Asset& asset)
{
    object["generator"] = asset.generator;
    object["counts"] = to_json(asset.counts);
    boost::system::error_code error;
    auto summary = json::parse(asset.summary, error);
    if (error || !summary.is_object()) return;
    for (auto& member : summary.get_object())
        object[member.key()] = std::move(member.value());
}

} // namespace

std::string_view to_string(AssetStatus status)
{
    return asset_statuses[static_cast<std::size_t>(status)];
}

std::string_view to_string(JobState state)
{
    return job_states[static_cast<std::size_t>(state)];
}

std::string_view to_string(JobStage stage)
{
    return job_stages[static_cast<std::size_t>(stage)];
}

std::optional<AssetStatus> find_asset_status(std::string_view name)
{
    return find_by_name<AssetStatus>(asset_statuses, name);
}

std::optional<JobState> find_job_state(std::string_view name)
{
    return find_by_name<JobState>(job_states, name);
}

std::optional<JobStage> find_job_stage(std::string_view name)
{
    return find_by_name<JobStage>(job_stages, name);
}

std::string Asset::etag() const
{
    return fmt::format("\"{}-{}\"", version, revision);
}

json::object to_json(const ImportProblem& problem)
{
    return {{"code", problem.code}, {"where", problem.where}, {"detail", problem.detail}};
}

json::object to_json(const Counts& counts)
{
    return {{"meshes", counts.meshes},       {"vertices", counts.vertices}, {"polygons", counts.polygons},
            {"triangles", counts.triangles}, {"joints", counts.joints},     {"clips", counts.clips},
            {"materials", counts.materials}, {"images", counts.images}};
}

json::object to_json(const Asset& asset)
{
    json::object object{{"id", asset.id},
                        {"name", asset.name},
                        {"format", nullptr},
                        {"status", to_string(asset.status)},
                        {"version", asset.version},
                        {"createdAt", timestamp_or_null(asset.created)},
                        {"updatedAt", timestamp_or_null(asset.updated)},
                        {"deletedAt", timestamp_or_null(asset.deleted)},
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

json::object to_json(const Job& job)
{
    return {{"id", job.id},
            {"kind", job.kind},
            {"asset", job.asset},
            {"state", to_string(job.state)},
            {"stage", to_string(job.stage)},
            {"progress", job.progress},
            {"attempts", job.attempts},
            {"problem", problem_or_null(job.problem)},
            {"createdAt", timestamp_or_null(job.created)},
            {"startedAt", timestamp_or_null(job.started)},
            {"finishedAt", timestamp_or_null(job.finished)}};
}

json::object to_json(const Version& version)
{
    return {{"version", version.number},
            {"createdAt", to_rfc3339(version.created)},
            {"sizeBytes", version.size_bytes},
            {"mainFile", version.main_file}};
}

json::object to_json(const File& file)
{
    return {{"name", file.name},
            {"sizeBytes", file.size_bytes},
            {"sha256", file.sha256},
            {"main", file.is_main},
            {"url", file.url}};
}

json::object to_json(const SpriteManifest& manifest)
{
    return {{"url", manifest.url},
            {"frames", manifest.frames},
            {"columns", manifest.columns},
            {"rows", manifest.rows},
            {"frameWidth", manifest.frame_width},
            {"frameHeight", manifest.frame_height},
            {"duration", manifest.duration}};
}

json::object list_json(json::array items, const std::string& next)
{
    return {{"items", std::move(items)}, {"next", next.empty() ? json::value(nullptr) : json::value(next)}};
}

std::string list_text(std::string_view items)
{
    return fmt::format(R"({{"items":{},"next":null}})", items);
}

std::string event_data(std::string_view type, const Asset& asset)
{
    auto body = type == "asset.deleted" ? json::object{{"id", asset.id}} : to_json(asset);
    return to_text(json::object{{"asset", std::move(body)}});
}

std::string event_data(const Job& job)
{
    return to_text(json::object{{"job", to_json(job)}});
}

} // namespace vitrine::api
