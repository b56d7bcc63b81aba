#pragma once
// The conditions of a list of assets as SQL.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog.hpp"
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
NameSearch name_search(const ListQuery& query);

// Condition on a row `s` of asset_search; `with_index`: the index of trigrams finds what it can.
std::string search_rows(const NameSearch& search, bool with_index, const Dialect& dialect, Binds& binds);

// As a number of the database.
long long clamp_count(std::uint64_t value);

// A speed as stored: meters per second to micrometers per second.
long long to_micrometers(double meters);

// Returns conditions on a row `a` of assets, all of which must hold; their values are added to `binds`.
std::vector<std::string> conditions_of(const ListQuery& query, const Dialect& dialect, Binds& binds,
                                       SearchPlan plan);

} // namespace vitrine::server
