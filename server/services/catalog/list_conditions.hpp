#pragma once
// The conditions of a list of assets as SQL.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/catalog/rows.hpp"

namespace vitrine::server {

// How SQLite finds the rows of a full-text search: each match by its key, which reads and sorts all of them,
// or all rows in the order of the list, of which those that match are taken until the page is full. Both find
// the same.
enum class SearchPlan : std::uint8_t { by_match, by_order };

// The expression of the full-text index for `q`: all of its words of three characters and more, which the
// trigram index can find; empty if there are none.
std::string full_text_match(std::string_view q);

// As a number of SQLite.
long long clamp_count(std::uint64_t value);

// A speed as stored: meters per second to micrometers per second.
long long to_micrometers(double meters);

// Whether `query` has no condition but a full-text search among assets that are not in the trash.
bool is_full_text_alone(const ListQuery& query);

// Returns conditions on a row `a` of assets, all of which must hold; their values are added to `binds`.
std::vector<std::string> conditions_of(const ListQuery& query, Binds& binds, SearchPlan plan);

} // namespace vitrine::server
