#include "api/resources.hpp"

#include <array>
#include <concepts>
#include <ctime>
#include <type_traits>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/tags/tag_text.hpp"

namespace vitrine::api {

std::string to_rfc3339(UnixMicros instant)
{
    const std::time_t seconds = static_cast<std::time_t>(instant / 1'000'000);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                       utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, instant / 1000 % 1000);
}

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

json::value timestamp_or_null(UnixMicros instant)
{
    return instant == 0 ? json::value(nullptr) : json::value(to_rfc3339(instant));
}

template <class Value>
json::value to_value(const Value& value)
{
    if constexpr (std::same_as<Value, UnixMicros>)
        return timestamp_or_null(value);
    else if constexpr (std::same_as<Value, std::optional<ImportProblem>>)
        return value ? json::value(to_json(*value)) : json::value(nullptr);
    else if constexpr (std::same_as<Value, Counts>)
        return to_json(value);
    else if constexpr (std::is_enum_v<Value>)
        return json::value(to_string(value));
    else
        return json::value(value);
}

// Adds the members that are shown, in the order of visit_columns().
template <class Value>
void add_members(json::object& object, const Value& value)
{
    value.visit_columns([&](std::string_view, std::string_view name, const auto& member) {
        if (!name.empty()) object[name] = to_value(member);
    });
}

template <class Value>
json::object members_json(const Value& value)
{
    json::object object;
    add_members(object, value);
    return object;
}

json::object links_json(const std::string& self)
{
    json::object links{{"self", self}};
    for (const char* name : {"files", "thumbnail", "sprite", "skeleton", "clips", "bounds", "preview"})
        links[name] = self + "/" + name;
    return links;
}

// Adds the members of the text, a JSON object, which `wanted` selects.
template <class Wanted>
void add_summary(json::object& object, const std::string& text, Wanted wanted)
{
    boost::system::error_code error;
    auto summary = json::parse(text, error);
    if (error || !summary.is_object()) return;
    for (auto& member : summary.get_object())
        if (wanted(member.key())) object[member.key()] = std::move(member.value());
}

json::value first_text(std::string_view given, std::string_view declared)
{
    const auto text = given.empty() ? declared : given;
    return text.empty() ? json::value(nullptr) : json::value(text);
}

json::value stored_json(const std::string& text, json::value empty)
{
    boost::system::error_code error;
    auto value = text.empty() ? std::move(empty) : json::parse(text, error);
    return error ? json::value(nullptr) : value;
}

// Returns the members that an asset has before its import too.
json::object common_json(const Asset& asset)
{
    auto object = members_json(asset);
    object["etag"] = asset.etag();
    object["format"] = nullptr;
    object["tags"] = json::value_from(split_tags(asset.tags));
    object["license"] = first_text(asset.license, asset.file_license);
    object["author"] = first_text(asset.author, asset.file_author);
    object["sourceUrl"] = first_text(asset.source_url, asset.file_source_url);
    object["createdBy"] = first_text(asset.creator, {});
    object["library"] = first_text(asset.library, {});
    object["coverKey"] = first_text(asset.cover_key, {});
    object["upAxis"] = first_text(asset.up_axis, {});
    object["cover"] = stored_json(asset.cover, nullptr);
    object["fieldValues"] = stored_json(asset.field_values, json::array());
    if (!asset.format.empty() && !asset.has_current_facts())
        object["facts"] = json::object{{"version", asset.facts_version}, {"current", false}};
    return object;
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
    const bool is_stale = !format.empty() && !has_current_facts(); // shown, and changed by no write
    return fmt::format("\"{}-{}{}\"", version, revision, is_stale ? "-stale" : "");
}

std::string Asset::path() const
{
    return is_of_named_version ? fmt::format("/v1/assets/{}/versions/{}", id, version) : "/v1/assets/" + id;
}

json::object to_json(const ImportProblem& problem)
{
    return members_json(problem);
}

json::object to_json(const Counts& counts)
{
    return members_json(counts);
}

json::object to_json(const Asset& asset)
{
    auto object = common_json(asset);
    object["links"] = links_json(asset.path());
    if (asset.format.empty()) return object;
    add_members<ImportedMembers>(object, asset);
    add_summary(object, asset.summary, [](std::string_view) { return true; });
    return object;
}

json::object row_json(const Asset& asset)
{
    auto object = common_json(asset);
    if (asset.format.empty()) return object;
    object["format"] = asset.format;
    object["counts"] = to_json(asset.counts);
    add_summary(object, asset.summary, [](std::string_view name) {
        return name == "bounds" || name == "representativeClip" || name == "warnings";
    });
    return object;
}

json::object to_json(const Job& job)
{
    return members_json(job);
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

json::object to_json(const FittingAsset& fitting)
{
    json::object row{{"asset", json::object{{"id", fitting.asset}, {"name", fitting.name}}},
                     {"fit", fitting.share},
                     {"by", fitting.by_role ? "role" : "name"}};
    if (!fitting.clip.empty()) row["clip"] = fitting.clip;
    return row;
}

json::object list_json(json::array items, const std::string& next)
{
    return {{"items", std::move(items)}, {"next", next.empty() ? json::value(nullptr) : json::value(next)}};
}

std::string list_text(std::string_view items)
{
    return fmt::format(R"({{"items":{},"next":null}})", items);
}

std::string with_stale_facts(std::string_view object, std::int64_t version)
{
    const auto begin = object.find('{');
    if (begin == std::string_view::npos) return std::string(object);
    const auto rest = object.substr(begin + 1);
    const bool is_empty = rest.find_first_not_of(" \n\t") == rest.find('}');
    return fmt::format(R"({{"facts":{}{}{})", to_text(json::object{{"version", version}, {"current", false}}),
                       is_empty ? "" : ",", rest);
}

std::string thumbnail_pending_text()
{
    return to_text(json::object{{"status", to_string(AssetStatus::importing)}});
}

} // namespace vitrine::api
