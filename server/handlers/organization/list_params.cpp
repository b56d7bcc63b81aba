#include "server/handlers/organization/list_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/tags/field_keys.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/services/organization/collection_field.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

constexpr double max_filter_number = 1e9; // meters, seconds, meters per second
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
    constexpr std::array<std::pair<std::string_view, FacetKind>, 10> kinds{{{"format", FacetKind::format},
                                                                            {"status", FacetKind::status},
                                                                            {"rigged", FacetKind::rigged},
                                                                            {"animated", FacetKind::animated},
                                                                            {"license", FacetKind::license},
                                                                            {"author", FacetKind::author},
                                                                            {"owner", FacetKind::owner},
                                                                            {"library", FacetKind::library},
                                                                            {"tag", FacetKind::tag},
                                                                            {"warning", FacetKind::warning}}};
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
        reader.reject("facets",
                      "must be of format, status, rigged, animated, license, author, owner, library, "
                      "tag and warning, separated by commas");
}

// Members of a row, of which `fields` selects some.
constexpr std::array<std::string_view, 32> row_members{
    "id",        "name",         "format",    "status",   "version",   "createdAt",
    "updatedAt", "deletedAt",    "sizeBytes", "mainFile", "etag",      "job",
    "problem",   "hasThumbnail", "facts",     "counts",   "bounds",    "representativeClip",
    "warnings",  "tags",         "license",   "author",   "sourceUrl", "createdBy",
    "match",     "cover",        "coverKey",  "upAxis",   "favorite",  "fieldValues",
    "role",      "library"};

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

void read_ranges(QueryReader& reader, ListQuery& query)
{
    query.triangles_min = reader.integer("triangles.min", 0, max_filter_value);
    query.triangles_max = reader.integer("triangles.max", 0, max_filter_value);
    query.joints_min = reader.integer("joints.min", 0, max_filter_value);
    query.joints_max = reader.integer("joints.max", 0, max_filter_value);
    query.vertices_min = reader.integer("vertices.min", 0, max_filter_value);
    query.vertices_max = reader.integer("vertices.max", 0, max_filter_value);
    query.materials_min = reader.integer("materials.min", 0, max_filter_value);
    query.materials_max = reader.integer("materials.max", 0, max_filter_value);
    query.clips_min = reader.integer("clips.min", 0, max_filter_value);
    query.clips_max = reader.integer("clips.max", 0, max_filter_value);
    query.bytes_min = reader.integer("bytes.min", 0, max_filter_value);
    query.bytes_max = reader.integer("bytes.max", 0, max_filter_value);
}

std::optional<Micros> read_instant(QueryReader& reader, std::string_view name)
{
    const auto text = reader.text(name);
    if (!text) return std::nullopt;
    const auto instant = parse_rfc3339(*text);
    if (!instant) reader.reject(name, "must be a time such as 2026-11-28T09:30:00Z");
    return instant;
}

FactFilter read_fact_filter(QueryReader& reader, const Principal& principal)
{
    FactFilter facts{.size_min = reader.number("size.min", 0.0, max_filter_number),
                     .size_max = reader.number("size.max", 0.0, max_filter_number),
                     .warnings_min = reader.integer("warnings.min", 0, max_filter_value),
                     .warnings_max = reader.integer("warnings.max", 0, max_filter_value),
                     .missing_textures_min = reader.integer("missingTextures.min", 0, max_filter_value),
                     .missing_textures_max = reader.integer("missingTextures.max", 0, max_filter_value),
                     .created_min = read_instant(reader, "created.min"),
                     .created_max = read_instant(reader, "created.max"),
                     .updated_min = read_instant(reader, "updated.min"),
                     .updated_max = read_instant(reader, "updated.max"),
                     .license = reader.text("license").value_or(""),
                     .author = reader.text("author").value_or(""),
                     .owner = reader.text("owner").value_or(""),
                     .library = reader.text("library").value_or(""),
                     .warning_codes = reader.texts("warning")};
    for (auto& rule : reader.texts("check"))
        facts.warning_codes.push_back(std::move(rule));
    if (facts.owner == "me") facts.owner = to_text(principal);
    if (facts.warning_codes.size() > max_filter_tags)
        reader.reject("warning",
                      fmt::format("and check must be given at most {} times together", max_filter_tags));
    for (const auto& [name, text] : {std::pair{"license", &facts.license},
                                     {"author", &facts.author},
                                     {"owner", &facts.owner},
                                     {"library", &facts.library}})
        if (text->size() > max_fact_bytes)
            reader.reject(name, fmt::format("must have at most {} bytes", max_fact_bytes));
    return facts;
}

// A number or a date; its kind decides which values are compared.
void read_field_limit(QueryReader& reader, const std::string& parameter, std::optional<long long>& number,
                      std::optional<long long>& date)
{
    const auto text = reader.text(parameter).value_or("");
    if (const auto days = api::date_key(text))
        date = days;
    else if (const auto value = parse_whole<double>(text); value && std::isfinite(*value))
        number = api::number_key(*value);
    else
        reader.reject(parameter, "must be a number, or a date such as 2026-11-28");
}

FieldFilter& filter_of(std::vector<FieldFilter>& filters, const std::string& name)
{
    const auto known = std::ranges::find(filters, name, &FieldFilter::name);
    return known != filters.end() ? *known : filters.emplace_back(FieldFilter{.name = name});
}

// field.NAME, field.NAME.min and field.NAME.max.
std::vector<FieldFilter> read_custom_fields(QueryReader& reader)
{
    constexpr std::string_view prefix = "field.", min = ".min", max = ".max";
    std::vector<FieldFilter> filters;
    for (const auto& given : reader.names_after(prefix)) {
        const auto parameter = std::string(prefix) + given;
        const bool is_limit = given.ends_with(min) || given.ends_with(max);
        const auto name = given.substr(0, given.size() - (is_limit ? min.size() : 0));
        if (name.empty()) reader.reject(parameter, "must have the name of a field");
        auto& filter = filter_of(filters, name);
        if (given.ends_with(min))
            read_field_limit(reader, parameter, filter.number_min, filter.date_min);
        else if (given.ends_with(max))
            read_field_limit(reader, parameter, filter.number_max, filter.date_max);
        else
            filter.equals = reader.text(parameter);
        if (filter.equals && filter.equals->size() > max_field_text_bytes)
            reader.reject(parameter, fmt::format("must have at most {} bytes", max_field_text_bytes));
    }
    if (filters.size() > max_filter_tags)
        reader.reject(std::string(prefix) + filters.back().name,
                      fmt::format("is one of more than {} conditions on fields", max_filter_tags));
    return filters;
}

ClipFilter read_clip_filter(QueryReader& reader)
{
    return {.loops = reader.flag("loops"),
            .in_place = reader.flag("inPlace"),
            .speed_min = reader.number("speed.min", 0.0, max_filter_number),
            .speed_max = reader.number("speed.max", 0.0, max_filter_number),
            .duration_min = reader.number("duration.min", 0.0, max_filter_number),
            .duration_max = reader.number("duration.max", 0.0, max_filter_number)};
}

// Where the page begins, and what is counted.
void read_page(QueryReader& reader, ListQuery& query)
{
    query.limit = reader.integer("limit", 1, 500).value_or(50);
    query.cursor = reader.text("cursor").value_or("");
    query.offset = reader.integer("offset", 0, max_filter_value);
    query.at = reader.text("at").value_or("");
    query.count_all = reader.flag("total").value_or(false);
    const std::array begins{!query.cursor.empty(), query.offset.has_value(), !query.at.empty()};
    if (std::ranges::count(begins, true) > 1)
        reader.reject(query.at.empty() ? "offset" : "at", "must be the only one of cursor, offset and at");
    read_facets(reader, query);
}

ListQuery read_query(QueryReader& reader, const Principal& principal)
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
    query.clip_facts = read_clip_filter(reader);
    query.facts = read_fact_filter(reader, principal);
    query.custom_fields = read_custom_fields(reader);
    query.tags = reader.texts("tag");
    if (query.tags.size() > max_filter_tags)
        reader.reject("tag", fmt::format("must be given at most {} times", max_filter_tags));
    query.collection = reader.text("collection").value_or("");
    if (reader.choice<bool>("favorite", {{"true", true}})) query.favorites_of = to_text(principal);
    query.with_descendants = reader.flag("descendants").value_or(false);
    read_page(reader, query);
    query.trash = reader.flag("trash").value_or(false);
    read_sort(reader, query);
    if (query.q.size() > 1000) reader.reject("q", "is longer than 1000 bytes");
    return query;
}

// Returns whether it is a search by pictures, whose order is its own.
bool read_mode(QueryReader& reader, const ListQuery& query)
{
    const bool is_semantic =
        reader.choice<bool>("mode", {{"words", false}, {"semantic", true}}).value_or(false);
    if (!is_semantic) return false;
    if (query.q.find_first_not_of(' ') == query.q.npos) reader.reject("mode", "semantic needs q");
    for (const std::string_view name : {"sort", "at", "total", "facets"})
        if (reader.text(name)) reader.reject(name, "is not for mode=semantic");
    return true;
}

} // namespace

ListParams read_list(QueryReader& reader, const Principal& principal)
{
    ListParams params{.query = read_query(reader, principal)};
    params.is_semantic = read_mode(reader, params.query);
    params.fields = read_fields(reader);
    params.is_personal = !params.query.favorites_of.empty() || reader.text("owner") == "me";
    return params;
}

} // namespace vitrine::server
