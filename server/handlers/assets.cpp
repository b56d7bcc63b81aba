// Assets: list, read, rename, move to trash.
#include <algorithm>
#include <array>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/organization/fact_members.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr double max_filter_speed = 1e9; // meters per second
constexpr std::size_t max_filter_tags = 16;
constexpr std::uint64_t max_filter_value = ~std::uint64_t{0} >> 1;

void read_sort(QueryReader& reader, ListQuery& query)
{
    struct SortOption {
        Sort sort;
        bool descending;
    };
    auto order = reader.choice<SortOption>("sort", {{"created", {Sort::created, false}},
                                                    {"-created", {Sort::created, true}},
                                                    {"name", {Sort::name, false}},
                                                    {"-name", {Sort::name, true}},
                                                    {"triangles", {Sort::triangles, false}},
                                                    {"-triangles", {Sort::triangles, true}},
                                                    {"relevance", {Sort::relevance, true}}});
    if (!order) return;
    query.sort = order->sort;
    query.descending = order->descending;
}

// The words of a list separated by commas, each once.
std::vector<std::string_view> words_of_list(std::string_view list)
{
    std::vector<std::string_view> words;
    for (const auto part : std::views::split(list, ','))
        if (const std::string_view word(part); std::ranges::find(words, word) == words.end())
            words.push_back(word);
    return words;
}

void read_facets(QueryReader& reader, ListQuery& query)
{
    constexpr std::array<std::pair<std::string_view, FacetKind>, 4> kinds{
        {{"format", FacetKind::format},
         {"status", FacetKind::status},
         {"rigged", FacetKind::rigged},
         {"animated", FacetKind::animated}}};
    const auto list = reader.text("facets");
    if (!list) return;
    for (const auto word : words_of_list(*list)) {
        const auto* const kind =
            std::ranges::find(kinds, word, [](const auto& known) { return known.first; });
        if (kind == kinds.end()) {
            query.facets.clear();
            break;
        }
        query.facets.push_back(kind->second);
    }
    if (query.facets.empty())
        reader.reject("facets", "must be of format, status, rigged and animated, separated by commas");
}

// Members of a row, of which `fields` selects some.
constexpr std::array<std::string_view, 24> row_members{
    "id",        "name",         "format",    "status",   "version",   "createdAt",
    "updatedAt", "deletedAt",    "sizeBytes", "mainFile", "etag",      "job",
    "problem",   "hasThumbnail", "facts",     "counts",   "bounds",    "representativeClip",
    "warnings",  "tags",         "license",   "author",   "sourceUrl", "match"};

// Of the parameter `fields`; empty: all.
std::vector<std::string> read_fields(QueryReader& reader)
{
    const auto list = reader.text("fields").value_or("");
    std::vector<std::string> fields;
    if (list.empty()) return fields;
    for (const auto word : words_of_list(list)) {
        if (std::ranges::find(row_members, word) == row_members.end())
            reader.reject("fields", fmt::format("has {:?}; members of a row are {}", word,
                                                fmt::join(row_members, ", ")));
        fields.emplace_back(word);
    }
    return fields;
}

void select_members(json::object& list, const std::vector<std::string>& fields)
{
    for (auto& row : list.at("items").as_array()) {
        json::object selected;
        for (const auto& field : fields)
            if (auto* const member = row.as_object().if_contains(field)) selected[field] = std::move(*member);
        row = std::move(selected);
    }
}

void read_ranges(QueryReader& reader, ListQuery& query)
{
    query.triangles_min = reader.integer("triangles.min", 0, max_filter_value);
    query.triangles_max = reader.integer("triangles.max", 0, max_filter_value);
    query.joints_min = reader.integer("joints.min", 0, max_filter_value);
    query.joints_max = reader.integer("joints.max", 0, max_filter_value);
    query.bytes_min = reader.integer("bytes.min", 0, max_filter_value);
    query.bytes_max = reader.integer("bytes.max", 0, max_filter_value);
}

ListQuery read_list(QueryReader& reader)
{
    ListQuery query;
    query.q = reader.text("q").value_or("");
    query.format = reader.text("format").value_or("");
    query.status = reader.choice<AssetStatus>("status", {{"importing", AssetStatus::importing},
                                                         {"ready", AssetStatus::ready},
                                                         {"failed", AssetStatus::failed}});
    query.rigged = reader.flag("rigged");
    query.animated = reader.flag("animated");
    query.joint = reader.text("joint").value_or("");
    query.clip = reader.text("clip").value_or("");
    read_ranges(reader, query);
    query.clip_facts = {.loops = reader.flag("loops"),
                        .in_place = reader.flag("inPlace"),
                        .speed_min = reader.number("speed.min", 0.0, max_filter_speed),
                        .speed_max = reader.number("speed.max", 0.0, max_filter_speed)};
    query.tags = reader.texts("tag");
    if (query.tags.size() > max_filter_tags)
        reader.reject("tag", fmt::format("must be given at most {} times", max_filter_tags));
    query.collection = reader.text("collection").value_or("");
    query.with_descendants = reader.flag("descendants").value_or(false);
    query.limit = reader.integer("limit", 1, 500).value_or(50);
    query.cursor = reader.text("cursor").value_or("");
    query.offset = reader.integer("offset", 0, max_filter_value);
    query.at = reader.text("at").value_or("");
    query.count_all = reader.flag("total").value_or(false);
    const std::array begins{!query.cursor.empty(), query.offset.has_value(), !query.at.empty()};
    if (std::ranges::count(begins, true) > 1)
        reader.reject(query.at.empty() ? "offset" : "at", "must be the only one of cursor, offset and at");
    query.trash = reader.flag("trash").value_or(false);
    read_facets(reader, query);
    read_sort(reader, query);
    if (query.q.size() > 1000) reader.reject("q", "is longer than 1000 bytes");
    return query;
}

Response asset_response(const AssetRecord& asset)
{
    auto response = json_response(200, to_json(asset));
    add_caching(response, asset.etag());
    return response;
}

std::expected<AssetChange, api::Problem> read_change(const Request& request)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    AssetChange change;
    change.if_match = read_if_match(request);
    change.name = members.text("name");
    if (change.name) members.reject("name", name_fault(*change.name));
    change.tags = read_tags(members);
    read_facts(members, change);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    return change;
}

} // namespace

HandlerResult list_assets(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_list(reader);
    const auto fields = read_fields(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto page = context.services.catalog.list_assets(query);
    if (!page) return problem(page.error());
    auto list = api::asset_list_json(*page);
    if (!fields.empty()) select_members(list, fields);
    auto response = json_response(200, list);
    if (!page->next.empty()) {
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, page->next)));
    }
    return response;
}

HandlerResult get_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (auto same = not_modified(request, asset->etag())) return std::move(*same);
    return asset_response(*asset);
}

HandlerResult change_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto change = read_change(request);
    if (!change) return std::unexpected(change.error());
    auto asset = context.services.catalog.change_asset(request.param("id"), *change);
    if (!asset) return problem(asset.error());
    return asset_response(*asset);
}

HandlerResult delete_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = context.services.catalog.trash_asset(request.param("id"), read_if_match(request));
    if (!asset) return problem(asset.error());
    return Response{.status = 204};
}

HandlerResult restore_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = context.services.catalog.restore_asset(request.param("id"));
    if (!asset) return problem(asset.error());
    return asset_response(*asset);
}

HandlerResult reimport_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto queued = context.services.catalog.reimport_asset(request.param("id"));
    if (!queued) return problem(queued.error());
    auto response = json_response(202, to_json(queued->job));
    response.headers.add("Location", "/v1/jobs/" + queued->job.id);
    return response;
}

HandlerResult lift_quarantine(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    context.services.quarantine.lift(std::string(quarantine_group(asset->content_hash)));
    return Response{.status = 204};
}

} // namespace vitrine::server
