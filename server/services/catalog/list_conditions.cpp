#include "server/services/catalog/list_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

constexpr std::size_t min_indexed_characters = 3; // of a word that the trigram index finds

std::size_t characters(std::string_view utf8)
{
    return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<std::string> words_of(std::string_view q)
{
    std::vector<std::string> words;
    for (std::size_t at = 0; at < q.size();) {
        const auto end = std::min(q.find(' ', at), q.size());
        if (end > at) words.emplace_back(q.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::string quoted(const std::string& word) // an FTS5 string
{
    std::string text = "\"";
    for (const char c : word)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

std::string like_pattern(const std::string& word)
{
    std::string pattern = "%";
    for (const char c : word)
        pattern += (c == '%' || c == '_' || c == '\\') ? std::string{'\\', c} : std::string(1, c);
    return pattern + "%";
}

// Matches a name in a document of the asset's version. Documents are long: where the search text is complete,
// only the documents of rows whose search text contains the name are read.
void add_name(std::string_view document, std::string_view list, const std::string& name, Binds& binds,
              std::vector<std::string>& conditions)
{
    if (name.empty()) return;
    constexpr std::size_t complete_bytes = 128 << 10; // describe() omits names from longer texts
    if (characters(name) >= min_indexed_characters)
        conditions.push_back(
            fmt::format("(a.seq IN (SELECT rowid FROM asset_search WHERE asset_search MATCH {}) "
                        "OR length(CAST(a.search_text AS BLOB)) > {})",
                        binds.add(quoted(name)), complete_bytes));
    conditions.push_back(fmt::format("EXISTS (SELECT 1 FROM documents d, json_each(d.json, '$.{}') e "
                                     "WHERE d.asset = a.id AND d.version = a.version AND d.kind = '{}' "
                                     "AND json_extract(e.value, '$.name') = {} COLLATE NOCASE)",
                                     list, document, binds.add(name)));
}

// Matches a clip with all of the facts.
void add_clip_facts(const ClipFilter& filter, Binds& binds, std::vector<std::string>& conditions)
{
    std::string facts;
    if (filter.loops) facts += *filter.loops ? " AND c.loops = 1" : " AND c.loops = 0";
    if (filter.in_place) facts += *filter.in_place ? " AND c.in_place = 1" : " AND c.in_place = 0";
    if (filter.speed_min) facts += " AND c.speed >= " + binds.add(to_micrometers(*filter.speed_min));
    if (filter.speed_max) facts += " AND c.speed <= " + binds.add(to_micrometers(*filter.speed_max));
    if (facts.empty()) return;
    conditions.push_back(
        "EXISTS (SELECT 1 FROM clip_facets c WHERE c.asset = a.id AND c.version = a.version" + facts + ")");
}

// Words that the trigram index cannot find are matched with LIKE. A plus sign keeps SQLite from using the
// key.
void add_search(const std::string& q, SearchPlan plan, Binds& binds, std::vector<std::string>& conditions)
{
    for (const auto& word : words_of(q))
        if (characters(word) < min_indexed_characters)
            conditions.push_back("a.search_text LIKE " + binds.add(like_pattern(word)) + " ESCAPE '\\'");
    auto match = full_text_match(q);
    if (match.empty()) return;
    conditions.push_back(
        fmt::format("{}a.seq IN (SELECT rowid FROM asset_search WHERE asset_search MATCH {})",
                    plan == SearchPlan::by_order ? "+" : "", binds.add(std::move(match))));
}

} // namespace

long long clamp_count(std::uint64_t value)
{
    return static_cast<long long>(std::min<std::uint64_t>(value, std::numeric_limits<long long>::max()));
}

long long to_micrometers(double meters)
{
    if (std::isnan(meters)) return 0;
    constexpr double limit = 9e18;
    return static_cast<long long>(std::clamp(std::round(meters * 1e6), -limit, limit));
}

std::string full_text_match(std::string_view q)
{
    std::string match;
    for (const auto& word : words_of(q))
        if (characters(word) >= min_indexed_characters)
            match += (match.empty() ? "" : " AND ") + quoted(word);
    return match;
}

bool is_full_text_alone(const ListQuery& query)
{
    Binds binds;
    return !full_text_match(query.q).empty() && !query.trash &&
           conditions_of(query, binds, SearchPlan::by_match).size() == 2;
}

std::vector<std::string> conditions_of(const ListQuery& query, Binds& binds, SearchPlan plan)
{
    std::vector<std::string> all{query.trash ? "a.deleted > 0" : "a.deleted = 0"};
    add_search(query.q, plan, binds, all);
    if (!query.format.empty()) all.push_back("a.format = " + binds.add(query.format));
    if (query.status) all.push_back("a.status = " + binds.add(std::string(to_string(*query.status))));
    if (query.rigged) all.push_back(*query.rigged ? "a.joints > 0" : "a.joints = 0");
    if (query.animated) all.push_back(*query.animated ? "a.clips > 0" : "a.clips = 0");
    add_name("skeleton", "joints", query.joint, binds, all);
    add_name("clips", "items", query.clip, binds, all);
    if (query.triangles_min) all.push_back("a.triangles >= " + binds.add(clamp_count(*query.triangles_min)));
    if (query.triangles_max) all.push_back("a.triangles <= " + binds.add(clamp_count(*query.triangles_max)));
    add_clip_facts(query.clip_facts, binds, all);
    return all;
}

} // namespace vitrine::server
