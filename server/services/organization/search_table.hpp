#pragma once
// Saved searches: filters of the list of assets under a name, of one principal or shared with all. Any
// thread, blocking. A write is durable when the call returns. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "server/services/database/database_connections.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_search_query_bytes = 2'000;

struct SavedSearch {
    std::string id{};
    std::string name{};
    std::string query{}; // of GET /v1/assets
    std::string owner{}; // to_text() of a principal
    bool is_shared = false;
    std::int64_t created = 0; // microseconds since 1970
    std::int64_t updated = 0;
    std::int64_t revision = 1;

    std::string etag() const; // strong entity tag with quotes
};

struct SearchChange {
    std::optional<std::string> name{}, query{};
    std::optional<bool> shared{};
    std::string if_match{}; // etag(); empty: any revision
};

struct SearchPage {
    std::vector<SavedSearch> items;
    std::string next{}; // empty on the last page
};

// Of one principal, who sees those of others if they are shared, and changes the own ones only.
class SearchTable {
public:
    static constexpr std::size_t max_searches = 500; // of one owner

    // `database` outlives the object.
    explicit SearchTable(DatabaseConnections& database) : database_(database) {}

    // In the order of creation. `limit`: 1..1000. Errors: invalid (cursor).
    Result<SearchPage> list(const std::string& principal, std::size_t limit, const std::string& cursor) const;
    // Errors: not_found ("no_search").
    Result<SavedSearch> find(const std::string& id, const std::string& principal) const;
    // `wanted`: its name, query, owner and is_shared. Errors: conflict ("too_many_searches").
    Result<SavedSearch> create(const SavedSearch& wanted);
    // `changes_all`: also shared searches of others. Errors: not_found, precondition_failed, conflict
    // ("search_of_other").
    Result<SavedSearch> change(const std::string& id, const SearchChange& change,
                               const std::string& principal, bool changes_all);
    Result<void> remove(const std::string& id, const std::string& if_match, const std::string& principal,
                        bool changes_all);

private:
    DatabaseConnections& database_;
};

// `principal`: whether it is the owner's own.
boost::json::object to_json(const SavedSearch& search, const std::string& principal);

} // namespace vitrine::server
