#pragma once
// Rows of a list of assets, from which its pages are made. Statements on one connection; catalog threads.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/cursor.hpp"
#include "server/services/catalog/list_conditions.hpp"

namespace vitrine::server {

// Which rows relative to the row of a cursor, in the order of the list.
enum class Side : std::uint8_t { before, from, after };

// Where a page begins.
struct Start {
    std::optional<Cursor> place{}; // empty: at the first row
    Side side = Side::from;
    std::optional<std::uint64_t> offset{}; // position in the list, if it was asked for
    bool past_end = false;
};

// The place of the row that `source` (the rest of a SELECT from assets a) finds; empty if there is none.
std::optional<Cursor> find_place(DatabaseConnection& sql, const ListQuery& query, const std::string& source,
                                 Binds& binds);

// The place of the row at ListQuery::offset.
std::optional<Cursor> place_at_offset(DatabaseConnection& sql, const ListQuery& query, Tier tier = {});

// The number of rows of the list; with `before`, of those before this row.
std::uint64_t count_rows(DatabaseConnection& sql, const ListQuery& query, const Cursor* before = nullptr,
                         Tier tier = {});

// The first `count` rows.
std::vector<AssetRecord> read_rows(DatabaseConnection& sql, const ListQuery& query, const Start& start,
                                   std::size_t count, Tier tier = {});

// The values of one filter and their numbers in the list, without this filter.
FacetCounts count_facet(DatabaseConnection& sql, const ListQuery& query, FacetKind kind);

std::size_t page_size(const ListQuery& query);

// Cuts a page of one row too many, and names the place of the next page: its value begins with `prefix`.
void end_page(DatabaseConnection& sql, const ListQuery& query, Page& page, std::string_view prefix = {});

std::unexpected<ServiceError> bad_cursor();

// A page of ListQuery::ranking.
Result<Page> read_ranking(DatabaseConnection& sql, const ListQuery& query);
// A page in the order of relevance.
Result<Page> read_ranked_page(DatabaseConnection& sql, const ListQuery& query);

} // namespace vitrine::server
