// Pages of assets: filters, sorts, cursors.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/cursor.hpp"
#include "server/services/catalog/list_conditions.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_search_bytes = 512;
constexpr std::size_t max_search_words = 8;

std::string_view column(Sort sort)
{
    constexpr std::string_view columns[] = {"a.created", "a.name_key", "a.triangles", "a.created"};
    return columns[static_cast<std::size_t>(sort)];
}

// Which rows relative to the row of a cursor, in the order of the list.
enum class Side : std::uint8_t { before, from, after };

std::string_view comparison(Side side, bool descending)
{
    if (side == Side::from) return descending ? "<=" : ">=";
    return (side == Side::after) == descending ? "<" : ">";
}

// Empty if the cursor's value does not belong to its sort order.
std::optional<std::string> condition_of(const Cursor& cursor, Side side, Binds& binds)
{
    std::string value;
    if (cursor.sort == Sort::name) {
        value = binds.add(cursor.value);
    } else {
        const auto number = parse_number(cursor);
        if (!number) return std::nullopt;
        value = binds.add(*number);
    }
    return fmt::format("({}, a.seq) {} ({}, {})", column(cursor.sort), comparison(side, cursor.descending),
                       value, binds.add(cursor.seq));
}

std::string sort_value(const AssetRecord& asset, Sort sort)
{
    if (sort == Sort::name) return name_key(asset.name);
    return std::to_string(sort == Sort::triangles ? static_cast<Micros>(asset.counts.triangles)
                                                  : asset.created);
}

std::string order_of(const ListQuery& query)
{
    const auto order = query.descending ? "DESC" : "ASC";
    return fmt::format(" ORDER BY {} {}, a.seq {}", column(query.sort), order, order);
}

// Runs a statement of one row with these values. Returns whether there is a row.
template <class... Values>
bool fetch_row(DatabaseConnection& sql, const std::string& text, Binds& binds, Values&... values)
{
    soci::statement st(sql);
    (st.exchange(soci::into(values)), ...);
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    return st.execute(true);
}

// The number of rows of the list; with `before`, of those before this row.
std::uint64_t count_rows(DatabaseConnection& sql, const ListQuery& query, const Cursor* before = nullptr,
                         Tier tier = {})
{
    Binds binds;
    auto conditions = conditions_of(query, sql.dialect, binds, SearchPlan::by_match, tier);
    if (before) conditions.push_back(condition_of(*before, Side::before, binds).value());
    long long count = 0;
    fetch_row(sql, fmt::format("SELECT COUNT(*) FROM assets a WHERE {}", fmt::join(conditions, " AND ")),
              binds, count);
    return static_cast<std::uint64_t>(count);
}

// The place of the row that `source` (the rest of a SELECT) finds; empty if there is none.
std::optional<Cursor> find_place(DatabaseConnection& sql, const ListQuery& query, const std::string& source,
                                 Binds& binds)
{
    Cursor place{.sort = query.sort, .descending = query.descending, .seq = 0, .value = {}};
    const auto text =
        fmt::format("SELECT CAST({} AS TEXT), a.seq FROM assets a {}", column(query.sort), source);
    if (!fetch_row(sql, text, binds, place.value, place.seq)) return std::nullopt;
    return place;
}

std::optional<Cursor> place_at_offset(DatabaseConnection& sql, const ListQuery& query, Tier tier = {})
{
    Binds binds;
    auto conditions = conditions_of(query, sql.dialect, binds, SearchPlan::by_match, tier);
    const auto skipped = binds.add(clamp_count(*query.offset));
    return find_place(
        sql, query,
        fmt::format("WHERE {}{} LIMIT 1 OFFSET {}", fmt::join(conditions, " AND "), order_of(query), skipped),
        binds);
}

std::optional<Cursor> place_of_asset(DatabaseConnection& sql, const ListQuery& query)
{
    Binds binds;
    return find_place(sql, query, "WHERE a.id = " + binds.add(query.at), binds);
}

// Where a page begins.
struct Start {
    std::optional<Cursor> place{}; // empty: at the first row
    Side side = Side::from;
    std::optional<std::uint64_t> offset{}; // position in the list, if it was asked for
    bool past_end = false;
};

std::unexpected<ServiceError> bad_cursor()
{
    return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list and sort order");
}

Result<Start> start_at_cursor(const ListQuery& query)
{
    auto cursor = parse_cursor(query.cursor);
    if (!cursor || cursor->sort != query.sort || cursor->descending != query.descending) return bad_cursor();
    const bool is_value = cursor->sort == Sort::name ? is_utf8(cursor->value) && !cursor->value.contains('\0')
                                                     : parse_number(*cursor).has_value();
    if (!is_value) return bad_cursor();
    return Start{.place = std::move(cursor), .side = Side::after};
}

Result<Start> start_of(DatabaseConnection& sql, const ListQuery& query)
{
    if (!query.cursor.empty()) return start_at_cursor(query);
    if (!query.at.empty()) {
        auto place = place_of_asset(sql, query);
        if (!place) return no_asset(query.at);
        const auto offset = count_rows(sql, query, &*place);
        return Start{.place = std::move(place), .offset = offset};
    }
    if (!query.offset) return Start{};
    if (*query.offset == 0) return Start{.offset = 0};
    auto place = place_at_offset(sql, query);
    const bool past_end = !place;
    return Start{.place = std::move(place), .offset = query.offset, .past_end = past_end};
}

// The first `count` rows. The inner SELECT sorts keys only: a search of a common word has many rows, which
// are long.
std::vector<AssetRecord> read_rows(DatabaseConnection& sql, const ListQuery& query, const Start& start,
                                   std::size_t count, Tier tier = {})
{
    Binds binds;
    auto conditions = conditions_of(query, sql.dialect, binds, plan_of(sql, query, tier), tier);
    if (start.place) conditions.push_back(condition_of(*start.place, start.side, binds).value());
    const auto order = order_of(query);
    const auto keys = fmt::format("SELECT a.seq FROM assets a WHERE {}{} LIMIT {}",
                                  fmt::join(conditions, " AND "), order, count);
    return fetch_assets(sql, fmt::format("{} WHERE a.seq IN ({}){}", select_assets(), keys, order), binds);
}

std::size_t page_size(const ListQuery& query)
{
    return std::clamp<std::size_t>(query.limit, 1, 500);
}

// Cuts a page of one row too many, and names the place of the next page.
void end_page(DatabaseConnection& sql, const ListQuery& query, Page& page, std::string_view tier = {})
{
    if (page.items.size() <= page_size(query)) return;
    page.items.resize(page_size(query));
    const auto& last = page.items.back();
    long long seq = 0;
    sql << "SELECT seq FROM assets WHERE id = :id", soci::into(seq), soci::use(last.id);
    page.next =
        to_text(Cursor{query.sort, query.descending, seq, std::string(tier) + sort_value(last, query.sort)});
}

Page read_page(DatabaseConnection& sql, const ListQuery& query, const Start& start)
{
    Page page{.items = read_rows(sql, query, start, page_size(query) + 1)};
    end_page(sql, query, page);
    return page;
}

// By relevance: for each number of kinds of names the rows that need so many, the newest first. A cursor's
// value begins with the number.
struct RankedStart {
    std::size_t kinds = 1;
    Start start;
};

Result<RankedStart> ranked_start(DatabaseConnection& sql, const ListQuery& query, const ListQuery& newest)
{
    if (!query.cursor.empty()) {
        auto cursor = parse_cursor(query.cursor);
        if (!cursor || cursor->sort != Sort::relevance || cursor->value.empty()) return bad_cursor();
        const auto kinds = static_cast<std::size_t>(cursor->value.front() - '0');
        if (kinds < 1 || kinds > search_columns.size()) return bad_cursor();
        const Cursor place{Sort::created, true, cursor->seq, cursor->value.substr(1)};
        if (!parse_number(place)) return bad_cursor();
        return RankedStart{kinds, {.place = place, .side = Side::after}};
    }
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

Result<Page> read_ranked_page(DatabaseConnection& sql, const ListQuery& query)
{
    if (words_of(query.q).empty() || !query.at.empty())
        return make_error(Errc::invalid, "bad_sort", "the order by relevance needs q, and does not take at");
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

Result<Page> read_list(DatabaseConnection& sql, const ListQuery& query)
{
    if (query.sort == Sort::relevance) return read_ranked_page(sql, query);
    const auto start = start_of(sql, query);
    if (!start) return std::unexpected(start.error());
    auto page = start->past_end ? Page{} : read_page(sql, query, *start);
    page.offset = start->offset;
    return page;
}

// The list of a search without a match is that of its words without typing mistakes, if there are such words.
Result<Page> read_corrected_list(DatabaseConnection& sql, ListQuery query)
{
    auto page = read_list(sql, query);
    if (page && page->items.empty() && !query.q.empty()) {
        auto corrections = correct_words(sql, query.q); // changes q
        if (!corrections.empty()) page = read_list(sql, query);
        if (page && !page->items.empty()) page->corrections = std::move(corrections);
    }
    if (!page) return page;
    page->matches = find_matches(sql, query.q, page->items);
    if (query.count_all) page->total = count_rows(sql, query);
    return page;
}

} // namespace

Result<Page> Catalog::list_assets(const ListQuery& query) const
{
    for (const auto& [name, value] :
         {std::pair{"q", &query.q}, std::pair{"joint", &query.joint}, std::pair{"clip", &query.clip}})
        if (value->size() > max_search_bytes)
            return make_error(Errc::invalid, "search_too_long",
                              fmt::format("{} must have at most {} bytes", name, max_search_bytes));
    if (words_of(query.q).size() > max_search_words)
        return make_error(Errc::invalid, "search_too_long",
                          fmt::format("q must have at most {} words", max_search_words));
    return impl_->connections.read([&](DatabaseConnection& sql) { return read_corrected_list(sql, query); });
}

} // namespace vitrine::server
