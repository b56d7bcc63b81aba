#pragma once
// Facts of the assets of soak_catalog, and lists that filter by them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/services/catalog/catalog.hpp"
#include "server/services/catalog/list_query.hpp"

namespace vitrine::server {

// Of asset `i`, which has three clips.
inline void add_facts(Metadata& found, std::size_t i)
{
    found.extent = static_cast<std::int64_t>(i * 104'729 % 10'000'000); // 0 to 10 m
    for (std::size_t clip = 0; clip < 3; ++clip)
        found.clip_facets.push_back({.loops = clip != 2,
                                     .in_place = clip == 1,
                                     .speed = static_cast<double>((i + clip) % 50) / 10.0,
                                     .duration = static_cast<double>((i * 7 + clip) % 400) / 40.0});
    found.file_license = i % 4 == 0 ? "CC-BY-4.0" : "";
    found.file_author = fmt::format("author {}", i % 1000);
    if (i % 100 == 0) found.warning_codes = {"missing_image"};
    found.warnings = i % 100 == 0 ? 1 : 0;
    found.missing_images = i % 4 == 2 ? 2 : found.warnings;
}

struct FactQuery {
    std::string what;
    ListQuery query;
    bool is_scan = false; // wide filters that no asset matches together: all entries of an index are read
};

inline std::vector<FactQuery> fact_queries()
{
    return {{"9.9 m and more", {.facts = {.size_min = 9.9}}},
            {"half of the sizes", {.facts = {.size_min = 5.0}}},
            {"larger than all", {.facts = {.size_min = 11.0}}},
            {"a slow, long loop", {.clip_facts = {.loops = true, .speed_max = 0.5, .duration_min = 9.0}}},
            {"clips of 9.9 s and more", {.clip_facts = {.duration_min = 9.9}}},
            {"faster than all", {.clip_facts = {.speed_min = 6.0}}},
            {"one author of a thousand", {.facts = {.author = "author 77"}}},
            {"an author of none", {.facts = {.author = "nobody"}}},
            {"a license of a quarter", {.facts = {.license = "cc-by-4.0"}}},
            {"an owner of none", {.facts = {.owner = "user:nobody"}}},
            {"a code of warnings", {.facts = {.warning_codes = {"missing_image"}}}},
            {"more warnings than all", {.facts = {.warnings_min = 9}}},
            {"a missing texture", {.facts = {.missing_textures_min = 1}}},
            {"a format of none", {.format = "bvh"}},
            {"failed imports", {.status = AssetStatus::failed}},
            {"without joints", {.rigged = false}},
            {"created before all", {.facts = {.created_max = 1}}},
            {"changed before all", {.facts = {.updated_max = 1}}},
            {"changed after all", {.facts = {.updated_min = 1LL << 60}}},
            {"an author and a size", {.facts = {.size_min = 9.0, .author = "author 77"}}},
            {"two quarters that exclude each other",
             {.facts = {.missing_textures_min = 2, .license = "cc-by-4.0"}},
             true}};
}

constexpr double facet_limit_ms = 1000.0; // of p99: all entries of an index are counted

// Filters by facts, in two orders. `listing`: measures a query so many times, with a limit of p99; 0: none.
template <class Listing>
void measure_facts(const Listing& listing, double page_limit_ms)
{
    for (auto [what, query, is_scan] : fact_queries()) {
        const int times = is_scan ? 11 : 201;
        const double limit_ms = is_scan ? 0.0 : page_limit_ms;
        listing(what + ", newest first", query, times, limit_ms);
        query.sort = Sort::name;
        listing(what + ", by name", query, times, limit_ms);
    }
    listing("a character of none", {.q = "\u5251"});
    for (const auto& [what, kind] : {std::pair{"author", FacetKind::author},
                                     {"license", FacetKind::license},
                                     {"format", FacetKind::format},
                                     {"warning", FacetKind::warning}})
        listing(std::string("facets of ") + what, {.limit = 1, .facets = {kind}}, 21, facet_limit_ms);
    listing("facets of format, of one author",
            {.facts = {.author = "author 77"}, .limit = 1, .facets = {FacetKind::format}}, 21, page_limit_ms);
}

} // namespace vitrine::server
