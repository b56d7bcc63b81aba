#include "server/services/catalog/list_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t min_indexed_characters = 3; // of a word that the trigram index finds

// `id`: of the collection, as a placeholder.
std::string in_collection(const std::string& id, bool with_descendants)
{
    const auto below =
        fmt::format("IN (WITH RECURSIVE below (id) AS (SELECT c.id FROM collections c WHERE c.id = {} UNION "
                    "SELECT k.id FROM collections k JOIN below b ON k.parent = b.id) SELECT id FROM below)",
                    id);
    return fmt::format("a.id IN (SELECT m.asset FROM collection_assets m WHERE m.collection {})",
                       with_descendants ? below : "= " + id);
}

void add_organization(const ListQuery& query, Binds& binds, std::vector<std::string>& conditions)
{
    for (const auto& tag : query.tags)
        conditions.push_back(
            "a.id IN (SELECT g.asset FROM asset_tags g WHERE g.tag = " + binds.add(name_key(tag)) + ")");
    if (!query.favorites_of.empty())
        conditions.push_back("a.id IN (SELECT f.asset FROM favorites f WHERE f.owner = " +
                             binds.add(query.favorites_of) + ")");
    if (!query.collection.empty())
        conditions.push_back(in_collection(binds.add(query.collection), query.with_descendants));
    if (!query.within.empty()) conditions.push_back(in_collection(binds.add(query.within), true));
}

// A whole name: names stand between line breaks.
NameSearch::Pattern exact_name(std::span<const std::string_view> column, const std::string& name)
{
    return {column, "%\n" + escape_like(name) + "\n%",
            characters(name) >= min_indexed_characters ? name : std::string()};
}

// What a row of the tier must not match; no patterns: nothing.
NameSearch found_before(const ListQuery& query, Tier tier)
{
    return tier.only && tier.kinds > 1 ? name_search(query, tier.kinds - 1) : NameSearch{};
}

bool is_ascii(const NameSearch::Pattern& pattern)
{
    return std::ranges::all_of(pattern.pattern, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The index of SQLite ignores the case of all letters, LIKE that of ASCII letters.
bool is_ascii(const NameSearch& search)
{
    return std::ranges::all_of(search.patterns,
                               [](const NameSearch::Pattern& pattern) { return is_ascii(pattern); });
}

// Compares the columns of each row, without the index if the pattern is ASCII and not `with_index`.
std::string any_column_like(const NameSearch::Pattern& pattern, bool with_index, const Dialect& dialect,
                            Binds& binds)
{
    const auto words = dialect.words();
    const auto case_rules = !with_index && is_ascii(pattern) ? words.ascii_case : "";
    std::vector<std::string> any;
    for (const auto column : pattern.columns)
        any.push_back(fmt::format("s.{} {} {}{} ESCAPE '\\'", column, words.like, binds.add(pattern.pattern),
                                  case_rules));
    return fmt::format("({})", fmt::join(any, " OR "));
}

// OFFSET keeps PostgreSQL from making a join of it, which would read all names.
std::string row_exists(const NameSearch& search, const Dialect& dialect, Binds& binds)
{
    return fmt::format("EXISTS (SELECT 1 FROM asset_search s WHERE s.rowid = a.seq AND {} LIMIT 1 OFFSET 0)",
                       search_rows(search, !is_ascii(search), dialect, binds));
}

// A search in the order of the list reads the names of one asset after the other.
void add_search(const ListQuery& query, const Dialect& dialect, SearchPlan plan, Tier tier, Binds& binds,
                std::vector<std::string>& conditions)
{
    const auto search = name_search(query, tier.kinds);
    if (search.patterns.empty()) return;
    if (plan == SearchPlan::by_match)
        conditions.push_back(fmt::format("a.seq IN (SELECT s.rowid FROM asset_search s WHERE {})",
                                         search_rows(search, true, dialect, binds)));
    else
        conditions.push_back(row_exists(search, dialect, binds));
    if (!found_before(query, tier).patterns.empty())
        conditions.push_back("NOT " + row_exists(found_before(query, tier), dialect, binds));
}

} // namespace

std::size_t characters(std::string_view utf8)
{
    return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<std::string> words_of(std::string_view q)
{
    std::vector<std::string> words;
    for (std::size_t at = 0; at < q.size();) {
        const auto end = std::min(q.find(' ', at), q.size());
        const auto word = q.substr(at, end - at);
        if (!word.empty() && std::ranges::find(words, word) == words.end()) words.emplace_back(word);
        at = end + 1;
    }
    return words;
}

long long clamp_count(std::uint64_t value)
{
    return static_cast<long long>(std::min<std::uint64_t>(value, std::numeric_limits<long long>::max()));
}

long long to_millionths(double value)
{
    if (std::isnan(value)) return 0;
    constexpr double limit = 9e18;
    return static_cast<long long>(std::clamp(std::round(value * 1e6), -limit, limit));
}

std::size_t searched_kinds(const ListQuery& query)
{
    return query.within.empty() ? search_columns.size() : search_columns.size() - 1;
}

NameSearch name_search(const ListQuery& query, std::size_t kinds)
{
    NameSearch search;
    const std::span columns(search_columns);
    kinds = std::min(kinds, searched_kinds(query));
    for (const auto& word : words_of(query.q))
        search.patterns.push_back({columns.first(kinds), like_pattern(word),
                                   characters(word) >= min_indexed_characters ? word : std::string()});
    if (!query.joint.empty()) search.patterns.push_back(exact_name(columns.subspan(3, 1), query.joint));
    if (!query.clip.empty()) search.patterns.push_back(exact_name(columns.subspan(2, 1), query.clip));
    return search;
}

// Of several conditions the index answers one: some of the rows that it finds do not match the others. Where
// more of them do not, the plan is by_match.
constexpr std::size_t looked_at_per_match = 3;

constexpr long long sampled_rows = 500;

namespace {

std::string condition_of_tier(DatabaseConnection& sql, const ListQuery& query, Tier tier, bool with_index,
                              Binds& binds, std::size_t limit)
{
    auto condition = search_rows(name_search(query, tier.kinds), with_index, sql.dialect, binds, limit);
    if (const auto before = found_before(query, tier); !before.patterns.empty())
        condition += fmt::format(" AND NOT ({})", search_rows(before, false, sql.dialect, binds));
    return condition;
}

// The matches of the tier, at most `limit`.
long long count_matches(DatabaseConnection& sql, const ListQuery& query, Tier tier, long long limit)
{
    Binds binds;
    const auto enough = looked_at_per_match * static_cast<std::size_t>(limit);
    const auto condition = condition_of_tier(sql, query, tier, true, binds, enough);
    const auto text =
        fmt::format("SELECT COUNT(*) FROM (SELECT 1 FROM asset_search s WHERE {} LIMIT {}) AS first",
                    condition, binds.add(limit));
    return fetch_number(sql, text, binds).value_or(0);
}

// The matches of the tier among some of the `rows`: the steps of a large prime spread them, so that neither a
// large upload nor a period of names counts for more than its share.
long long count_in_sample(DatabaseConnection& sql, const ListQuery& query, Tier tier, long long rows)
{
    Binds binds;
    const auto place = fmt::format("n.i * 15485863 % {} + 1", binds.add(rows));
    const auto text =
        fmt::format("WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 "
                    "FROM n WHERE i < {}) SELECT COUNT(*) FROM n JOIN asset_search s ON "
                    "s.rowid = {} WHERE {}",
                    sampled_rows - 1, place, condition_of_tier(sql, query, tier, false, binds, 0));
    return fetch_number(sql, text, binds).value_or(0);
}

} // namespace

// Reading a match by its key takes about as long as passing one row in the list's order; a page in that order
// passes about page size x rows / matches of them. A common word shows in a sample; counting its matches
// would take longer than the page.
SearchPlan plan_of(DatabaseConnection& sql, const ListQuery& query, Tier tier)
{
    const auto search = name_search(query, tier.kinds);
    if (search.patterns.empty() && sees_everything()) return SearchPlan::by_order;
    if (!is_ascii(search)) return SearchPlan::by_match;
    Binds none;
    const auto rows = fetch_number(sql, "SELECT COALESCE(MAX(seq), 0) FROM assets", none).value_or(0);
    const auto worth =
        static_cast<long long>(std::sqrt(static_cast<double>(query.limit) * static_cast<double>(rows))) + 1;
    if (has_few_visible_assets(sql, worth)) return SearchPlan::by_match;
    if (search.patterns.empty()) return SearchPlan::by_order;
    if (rows > 4 * sampled_rows && count_in_sample(sql, query, tier, rows) * (rows / sampled_rows) >= worth)
        return SearchPlan::by_order;
    return count_matches(sql, query, tier, worth) == worth ? SearchPlan::by_order : SearchPlan::by_match;
}

std::string search_rows(const NameSearch& search, bool with_index, const Dialect& dialect, Binds& binds,
                        std::size_t limit)
{
    std::vector<std::string> all, words; // the words of `q` are one question to the index
    std::span<const std::string_view> kinds;
    for (const auto& pattern : search.patterns) {
        const auto& indexed = pattern.indexed;
        const bool is_indexed = with_index && !indexed.empty();
        const bool is_word = is_indexed && pattern.pattern == like_pattern(indexed);
        if (is_word) {
            words.push_back(indexed);
            kinds = pattern.columns;
            continue;
        }
        if (is_indexed)
            all.push_back(dialect.search_condition(pattern.columns, std::span(&indexed, 1), binds, limit));
        all.push_back(any_column_like(pattern, is_indexed, dialect, binds));
    }
    if (!words.empty()) all.push_back(dialect.search_condition(kinds, words, binds, limit));
    return fmt::format("{}", fmt::join(all, " AND "));
}

std::string names_found(const ListQuery& query, Tier tier, const Dialect& dialect, Binds& binds)
{
    return row_exists(name_search(query, tier.kinds), dialect, binds);
}

std::vector<std::string> conditions_of(const ListQuery& query, const Dialect& dialect, Binds& binds,
                                       SearchPlan plan, Tier tier)
{
    std::vector<std::string> all{query.trash ? "a.deleted > 0" : "a.deleted = 0"};
    add_search(query, dialect, plan, tier, binds, all);
    const auto unindexed = dialect.words().unindexed;
    if (!query.format.empty())
        all.push_back(fmt::format("{}a.format = {}", unindexed, binds.add(query.format)));
    if (query.status)
        all.push_back(
            fmt::format("{}a.status = {}", unindexed, binds.add(std::string(to_string(*query.status)))));
    if (query.rigged) all.push_back(*query.rigged ? "+a.joints > 0" : "+a.joints = 0");
    if (query.animated) all.push_back(*query.animated ? "+a.clips > 0" : "+a.clips = 0");
    if (query.triangles_min) all.push_back("a.triangles >= " + binds.add(clamp_count(*query.triangles_min)));
    if (query.triangles_max) all.push_back("a.triangles <= " + binds.add(clamp_count(*query.triangles_max)));
    if (query.joints_min) all.push_back("+a.joints >= " + binds.add(clamp_count(*query.joints_min)));
    if (query.joints_max) all.push_back("+a.joints <= " + binds.add(clamp_count(*query.joints_max)));
    add_facts(query, dialect, binds, all);
    add_organization(query, binds, all);
    if (!sees_everything())
        all.push_back("1 = 1" + (plan == SearchPlan::by_match ? and_one_of_visible_assets("a.seq")
                                                              : and_visible_asset("a.id")));
    return all;
}

} // namespace vitrine::server
