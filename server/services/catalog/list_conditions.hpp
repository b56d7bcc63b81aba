#pragma once
// The conditions of a list of assets as SQL.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/list_query.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::server {

// How the rows of a search are found: each match by its key, which reads and sorts all of them, or all rows
// in the order of the list, of which those that match are taken until the page is full. Both find the same.
enum class SearchPlan : std::uint8_t { by_match, by_order };

// What a search asks of the names of an asset.
struct NameSearch {
    struct Pattern {
        std::span<const std::string_view> columns; // of asset_search, in any of which it is found
        std::string pattern;                       // of LIKE
        std::string indexed;                       // of three characters and more, in the pattern; or empty
    };
    std::vector<Pattern> patterns{}; // all must be found
};
// How many of search_columns the words of `q` are looked for in: share links do not show notes, which are in
// the last one.
std::size_t searched_kinds(const ListQuery& query);
// `kinds`: the words of `q` are found in the first so many of search_columns.
NameSearch name_search(const ListQuery& query, std::size_t kinds = search_columns.size());

// Condition on a row `s` of asset_search; `with_index`: the index of trigrams finds what it can. `limit`:
// that many of the rows that the index finds suffice; 0: all.
std::string search_rows(const NameSearch& search, bool with_index, const Dialect& dialect, Binds& binds,
                        std::size_t limit = 0);

// As a number of the database.
long long clamp_count(std::uint64_t value);

// A length, speed or duration as stored: meters, meters per second or seconds in millionths.
long long to_millionths(double value);

// Adds conditions on a row `a` of assets: sizes, counts, times, licenses, and facts of clips.
void add_facts(const ListQuery& query, const Dialect& dialect, Binds& binds, std::vector<std::string>& all);

// Condition on a column of text, ASCII letters without case.
std::string equals_ignoring_case(std::string_view column, const std::string& text, const Dialect& dialect,
                                 Binds& binds);

// How the rows of a list with filters are found, beside its conditions.
struct FilterPlan {
    std::string condition{}; // on a row `a` of assets, of which one filter is read from its own index; empty:
                             // the rows are read in their order
    bool is_narrow = false;  // so few rows that all are read and sorted
};
// Of the filters one that few assets match, or one text that gives the default order.
// `in_order`: the order counts; otherwise there is a condition only if it is narrow.
FilterPlan plan_filters(DatabaseConnection& sql, const ListQuery& query, Binds& binds, bool in_order);
// What is counted in the rows of a list, for FROM: SQLite would read a shorter index, and each row beside it.
std::string counted_assets(const ListQuery& query, const FilterPlan& plan, const Dialect& dialect);

// Which rows of a search: those whose words are found in the first `kinds` of search_columns, but not in
// fewer than `kinds` if `only` is set.
struct Tier {
    std::size_t kinds = search_columns.size();
    bool only = false;
};

// Condition on a row `a` of assets: its names are found in the tier, or in those before it. Reads the names
// of that row only. Precondition: the query asks for names.
std::string names_found(const ListQuery& query, Tier tier, const Dialect& dialect, Binds& binds);

// Returns conditions on a row `a` of assets, all of which must hold; their values are added to `binds`.
std::vector<std::string> conditions_of(const ListQuery& query, const Dialect& dialect, Binds& binds,
                                       SearchPlan plan, Tier tier = {});

SearchPlan plan_of(DatabaseConnection& sql, const ListQuery& query, Tier tier);

std::size_t characters(std::string_view utf8); // their number

// The words of a search.
std::vector<std::string> words_of(std::string_view q);

} // namespace vitrine::server
