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
// `kinds`: the words of `q` are found in the first so many of search_columns.
NameSearch name_search(const ListQuery& query, std::size_t kinds = search_columns.size());

// Condition on a row `s` of asset_search; `with_index`: the index of trigrams finds what it can. `limit`:
// that many of the rows that the index finds suffice; 0: all.
std::string search_rows(const NameSearch& search, bool with_index, const Dialect& dialect, Binds& binds,
                        std::size_t limit = 0);

// As a number of the database.
long long clamp_count(std::uint64_t value);

// A speed as stored: meters per second to micrometers per second.
long long to_micrometers(double meters);

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
