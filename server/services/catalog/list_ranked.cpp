// Pages of a search in the order of relevance, and of a ranking that others have made.

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/list_rows.hpp"

namespace vitrine::server {
namespace {

// By relevance: for each number of kinds of names the rows that need so many, the newest first. A cursor's
// value begins with the number.
struct RankedStart {
    std::size_t kinds = 1;
    Start start;
};

Result<RankedStart> resume_ranked(const ListQuery& query)
{
    auto cursor = parse_cursor(query.cursor);
    if (!cursor || cursor->sort != Sort::relevance || cursor->value.empty()) return bad_cursor();
    const auto kinds = static_cast<std::size_t>(cursor->value.front() - '0');
    if (kinds < 1 || kinds > search_columns.size()) return bad_cursor();
    const Cursor place{Sort::created, true, cursor->seq, cursor->value.substr(1)};
    if (!parse_number(place)) return bad_cursor();
    return RankedStart{kinds, {.place = place, .side = Side::after}};
}

// By relevance the place of an asset depends on where its names have the words.
Result<RankedStart> start_at_asset(DatabaseConnection& sql, const ListQuery& query, const ListQuery& newest)
{
    for (std::size_t kinds = 1; kinds <= search_columns.size(); ++kinds) {
        Binds binds;
        const auto id = binds.add(query.at);
        const auto found =
            names_found({.q = query.q, .within = query.within}, {.kinds = kinds}, sql.dialect, binds);
        const auto place = find_place(sql, newest, fmt::format("WHERE a.id = {} AND {}", id, found), binds);
        if (!place) continue;
        auto offset = count_rows(sql, newest, &*place, {kinds, true});
        if (kinds > 1) offset += count_rows(sql, newest, nullptr, {kinds - 1, false});
        return RankedStart{kinds, {.place = place, .offset = offset}};
    }
    return make_error(Errc::not_found, "no_asset",
                      fmt::format("there is no asset '{}' whose names have the words of q", query.at));
}

Result<RankedStart> ranked_start(DatabaseConnection& sql, const ListQuery& query, const ListQuery& newest)
{
    if (!query.cursor.empty()) return resume_ranked(query);
    if (!query.at.empty()) return start_at_asset(sql, query, newest);
    RankedStart ranked{.start = {.offset = query.offset}};
    for (auto left = query.offset.value_or(0); left > 0; ++ranked.kinds) {
        const Tier tier{ranked.kinds, true};
        const auto rows = ranked.kinds <= search_columns.size() ? count_rows(sql, newest, nullptr, tier) : 0;
        if (rows > left) {
            auto at = newest;
            at.offset = left;
            ranked.start.place = place_at_offset(sql, at, tier);
            return ranked;
        }
        left -= rows;
        if (ranked.kinds > search_columns.size()) break;
    }
    return ranked;
}

// Of those of the ranking that the filters select, in its order: ids.
std::vector<std::string> select_ranked(DatabaseConnection& sql, const ListQuery& query)
{
    auto filters = query;
    filters.q.clear();
    Binds binds;
    auto conditions = conditions_of(filters, sql.dialect, binds, SearchPlan::by_order);
    conditions.push_back(fmt::format("a.seq IN ({})", fmt::join(*query.ranking, ",")));
    std::map<long long, std::string> ids; // by number
    long long seq = 0;
    std::string id;
    soci::statement rows(sql);
    rows.exchange(soci::into(seq));
    rows.exchange(soci::into(id));
    binds.attach(rows);
    rows.alloc();
    rows.prepare(fmt::format("SELECT a.seq, a.id FROM assets a WHERE {}", fmt::join(conditions, " AND ")));
    rows.define_and_bind();
    for (rows.execute(); rows.fetch();)
        ids.emplace(seq, id);
    std::vector<std::string> selected;
    for (const auto number : *query.ranking)
        if (const auto found = ids.find(number); found != ids.end()) selected.push_back(found->second);
    return selected;
}

std::optional<std::uint64_t> position_of(const ListQuery& query)
{
    if (query.cursor.empty()) return query.offset.value_or(0);
    std::uint64_t position = 0;
    const auto* const end = query.cursor.data() + query.cursor.size();
    const auto read = std::from_chars(query.cursor.data(), end, position);
    return read.ec == std::errc() && read.ptr == end ? std::optional(position) : std::nullopt;
}

} // namespace

Result<Page> read_ranking(DatabaseConnection& sql, const ListQuery& query)
{
    const auto position = position_of(query);
    if (!position) return bad_cursor();
    Page page;
    page.offset = query.offset;
    if (query.ranking->empty()) return page;
    const auto ids = select_ranked(sql, query);
    const auto first = std::min<std::uint64_t>(*position, ids.size());
    const auto end = std::min<std::uint64_t>(first + page_size(query), ids.size());
    for (auto at = first; at < end; ++at)
        if (auto asset = find_asset_row(sql, ids[at])) page.items.push_back(*std::move(asset));
    if (end < ids.size()) page.next = std::to_string(end);
    return page;
}

Result<Page> read_ranked_page(DatabaseConnection& sql, const ListQuery& query)
{
    if (words_of(query.q).empty())
        return make_error(Errc::invalid, "bad_sort", "the order by relevance needs q");
    auto newest = query;
    newest.sort = Sort::created;
    newest.descending = true;
    auto ranked = ranked_start(sql, query, newest);
    if (!ranked) return std::unexpected(ranked.error());
    Page page;
    std::vector<std::size_t> kinds_of; // of each item
    const auto wanted = page_size(query) + 1;
    for (auto kinds = ranked->kinds; kinds <= search_columns.size() && page.items.size() < wanted; ++kinds) {
        const auto start = kinds == ranked->kinds ? ranked->start : Start{};
        auto rows = read_rows(sql, newest, start, wanted - page.items.size(), {kinds, true});
        kinds_of.insert(kinds_of.end(), rows.size(), kinds);
        std::ranges::move(rows, std::back_inserter(page.items));
    }
    const auto last = std::min(kinds_of.size(), page_size(query));
    if (last > 0) end_page(sql, query, page, std::to_string(kinds_of[last - 1]));
    page.offset = ranked->start.offset;
    return page;
}

} // namespace vitrine::server
