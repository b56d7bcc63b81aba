#pragma once
// What a list of assets shows: its filters, its order, its pages.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/records.hpp"

namespace vitrine::server {

// relevance: what is found in a name comes before what is found in a title or author, in a clip, in a joint,
// in a material; within each the newest first. Only with ListQuery::q.
enum class Sort : std::uint8_t { created, name, triangles, relevance };

// Where the first word of a search that the asset's names have is found.
struct NameMatch {
    std::string_view
        kind; // "name", "tag", "clip", "joint", "material" or "note"; empty: nowhere (it was just changed)
    std::string text; // the whole name
};

// A word of a search that no asset has, and the most similar one of the words of all names.
struct Correction {
    std::string typed;
    std::string used;
};

// A clip of the asset has all of these.
struct ClipFilter {
    std::optional<bool> loops{};
    std::optional<bool> in_place{};
    std::optional<double> speed_min{}; // meters per second
    std::optional<double> speed_max{};
    std::optional<double> duration_min{}; // seconds
    std::optional<double> duration_max{};
};

// What the import has found and people have declared. Limits belong to the ranges.
struct FactFilter {
    std::optional<double> size_min{}; // meters, the longest side of the bounds of the static pose
    std::optional<double> size_max{};
    std::optional<std::uint64_t> warnings_min{};
    std::optional<std::uint64_t> warnings_max{};
    std::optional<std::uint64_t> missing_textures_min{};
    std::optional<std::uint64_t> missing_textures_max{};
    std::optional<Micros> created_min{};
    std::optional<Micros> created_max{};
    std::optional<Micros> updated_min{};
    std::optional<Micros> updated_max{};
    std::string license{}; // the whole text, ASCII case-insensitive; that of the file where people gave none
    std::string author{};
    std::string owner{};                      // to_text() of the principal who has added it
    std::string library{};                    // id of that which shows it
    std::vector<std::string> warning_codes{}; // all of them
};

// Of custom fields of collections with a name, one has a value.
struct FieldFilter {
    std::string name{};                  // ASCII case-insensitive
    std::optional<std::string> equals{}; // as text, ASCII case-insensitive; empty text: there is no value
    std::optional<long long> number_min{}, number_max{}; // number_key() (api/tags)
    std::optional<long long> date_min{}, date_max{};     // date_key()
};

// A filter of the list whose values are counted.
enum class FacetKind : std::uint8_t {
    format,
    status,
    rigged,
    animated,
    license,
    author,
    owner,
    library,
    tag,     // with the tags asked for: an asset has several
    warning, // likewise
};

// The values of one filter, each with the number of assets that the list would have with it and all other
// filters; the most frequent first, at most 100.
struct FacetCounts {
    struct Value {
        std::string value; // as the filter takes it
        std::uint64_t count = 0;
    };
    std::string_view name; // of the filter
    std::vector<Value> values{};
};

struct ListQuery {
    std::string q{}; // words, each part of a name of the asset, a joint, clip or material; case-insensitive
    std::string format{};
    std::optional<AssetStatus> status{};
    std::optional<bool> rigged{};
    std::optional<bool> animated{};
    std::string joint{}; // exact joint name, ASCII case-insensitive
    std::string clip{};
    std::optional<std::uint64_t> triangles_min{};
    std::optional<std::uint64_t> triangles_max{};
    std::optional<std::uint64_t> joints_min{};
    std::optional<std::uint64_t> joints_max{};
    std::optional<std::uint64_t> vertices_min{};
    std::optional<std::uint64_t> vertices_max{};
    std::optional<std::uint64_t> materials_min{};
    std::optional<std::uint64_t> materials_max{};
    std::optional<std::uint64_t> clips_min{};
    std::optional<std::uint64_t> clips_max{};
    std::optional<std::uint64_t> bytes_min{}; // of the files of the version that requests read
    std::optional<std::uint64_t> bytes_max{};
    ClipFilter clip_facts{};
    FactFilter facts{};
    std::vector<FieldFilter> custom_fields{}; // all of them
    std::vector<std::string> tags{};          // all of them, ASCII case-insensitive
    std::string collection{};                 // id
    bool with_descendants = false;            // also what is in collections below it
    std::string favorites_of{};               // to_text() of a principal: only its favorites
    std::string within{};                     // another collection with those below it; empty: everything
    Sort sort = Sort::created;
    bool descending = true;
    std::size_t limit = 50; // clamped to 1..500
    std::string cursor{};   // Page::next of the previous page, same sort
    // Begin of the page instead of a cursor: a position, or an asset (its place, if the filters exclude it;
    // by relevance, its names must have the words).
    std::optional<std::uint64_t> offset{};
    std::string at{};
    bool count_all = false;          // fill Page::total
    std::vector<FacetKind> facets{}; // fill Page::facets
    bool trash = false;              // list the trash instead of the other assets
    // Only these (by their order of creation), in this order, instead of a search of `q` and of `sort`; the
    // cursor is a position. Not with `at`, `count_all` and `facets`.
    std::optional<std::vector<std::int64_t>> ranking{};
};

struct Page {
    std::vector<AssetRecord> items;
    std::vector<NameMatch> matches;        // of each item, if the list is a search
    std::vector<Correction> corrections;   // if nothing was found without them
    std::string next;                      // empty on the last page
    std::optional<std::uint64_t> offset{}; // position of the first item, if ListQuery has `offset` or `at`
    std::optional<std::uint64_t> total{};
    std::vector<FacetCounts> facets{}; // of ListQuery::facets, in this order
};

} // namespace vitrine::server
