// Pages of a search in the order of relevance.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

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
        const auto found = names_found({.q = query.q}, {.kinds = kinds}, sql.dialect, binds);
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

} // namespace

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
